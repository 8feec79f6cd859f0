// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/changed_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/engine/cases/device_values.h"
#include "core/engine/cases/value_looks.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/special_values.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

constexpr std::int64_t period = valuesAligned;
constexpr int placeSeedBits = 32;
/// The last three bits of a whole number.
constexpr std::uint64_t wholeSingle = 7;

/// Few elements move each for itself; of more, so many move together, at the speed of copying.
constexpr std::int64_t together(std::int64_t elements) {
  return elements <= 128 ? 1 : elements <= 8192 ? 16 : period;
}

/// The sign and all bits of the fraction but the highest may be flipped, and the lowest bit of the exponent
/// cleared: then no magnitude leaves its octave upwards by more than half of it, and sums, maxima and norms
/// of many elements change all the same.
struct FloatBits {
  std::uint64_t sign = 0, fraction = 0, exponent = 0;
};
FloatBits floatBits(int width, int fractionBits) {
  return {std::uint64_t{1} << (width - 1), (std::uint64_t{1} << (fractionBits - 1)) - 1,
          std::uint64_t{1} << fractionBits};
}

FloatBits floatBits(at::ScalarType type) {
  switch (c10::toRealValueType(type)) {
    case at::kDouble:
      return floatBits(64, 52);
    case at::kFloat:
      return floatBits(32, 23);
    case at::kHalf:
      return floatBits(16, 10);
    case at::kBFloat16:
      return floatBits(16, 7);
    default:
      return {};
  }
}

/// The place in `base` from which block or element number i comes is (start + step·i) mod count.
struct Places {
  std::int64_t start = 0, step = 0, count = 0;
  Places(std::int64_t all, std::uint64_t seed) : count(all) {
    if (count < 2) return;
    const auto below = [&](std::uint64_t number) {
      return static_cast<std::int64_t>(mixSeeds(seed, number) % static_cast<std::uint64_t>(count));
    };
    start = below(1);
    step = below(2);
    while (std::gcd(step, count) != 1) step = step + 1 < count ? step + 1 : 1;
  }
  [[nodiscard]] std::int64_t of(std::int64_t i) const {
    if (i == 0) return start;
    return count < 2 ? 0
                     : static_cast<std::int64_t>(
                           (static_cast<unsigned __int128>(step) * static_cast<unsigned __int128>(i) +
                            static_cast<unsigned __int128>(start)) %
                           static_cast<unsigned __int128>(count));
  }
  [[nodiscard]] std::int64_t after(std::int64_t place) const {
    return place + step >= count ? place + step - count : place + step;
  }
};

/// What happens to element number i, by i modulo 64 plus a phase: (value & kept ^ flipped) + added.
template <class U>
struct Bits {
  std::array<U, 2 * period> kept, flipped, added;
  Bits(const ValueChange& change, std::uint64_t seed) {
    const std::uint64_t negative = change.negated ? mixSeeds(seed, 3) : 0, cleared = mixSeeds(seed, 4);
    constexpr auto half = static_cast<std::size_t>(period);
    for (std::size_t i = 0; i < half; ++i) {
      const std::uint64_t mixed = mixSeeds(seed, 5 + i);
      const bool negate = ((negative >> i) & 1) != 0, clear = ((cleared >> i) & 1) != 0;
      kept[i] = static_cast<U>(clear ? ~change.cleared : ~std::uint64_t{0});
      flipped[i] = static_cast<U>((mixed & change.flipped) ^ (negate ? ~std::uint64_t{0} : 0));
      added[i] = static_cast<U>(negate ? 1 : 0);
      kept[i + half] = kept[i], flipped[i + half] = flipped[i], added[i + half] = added[i];
    }
  }
};

/// The last table is kept, since to make one takes longer than to change a short tensor.
template <class U>
const Bits<U>& bitsOf(const ValueChange& change, std::uint64_t seed) {
  struct Last {
    ValueChange change;
    std::uint64_t seed;
    Bits<U> bits;
  };
  thread_local Last last{change, seed >> placeSeedBits, {change, seed >> placeSeedBits}};
  if (last.seed != seed >> placeSeedBits || last.change != change)
    last = {change, seed >> placeSeedBits, {change, seed >> placeSeedBits}};
  return last.bits;
}

/// Without a phase of its own each set of a sample would have the same sum and norm.
std::size_t phaseOf(std::uint64_t seed) {
  return static_cast<std::size_t>(mixSeeds(seed, 8) % static_cast<std::uint64_t>(period));
}

/// Changes `Count` elements that begin at place `at` of the table.
template <std::size_t Count, class U>
void changeTogether(U* __restrict into, const U* __restrict base, const Bits<U>& bits, std::size_t at) {
  const U* __restrict const kept = bits.kept.data() + at;
  const U* __restrict const flipped = bits.flipped.data() + at;
  const U* __restrict const added = bits.added.data() + at;
  for (std::size_t i = 0; i < Count; ++i)
    into[i] = static_cast<U>(static_cast<U>((base[i] & kept[i]) ^ flipped[i]) + added[i]);
}

template <std::size_t Count, class U>
void writeTogether(U* into, const U* base, std::int64_t count, const Bits<U>& bits, std::uint64_t seed,
                   std::int64_t from, std::int64_t to) {
  constexpr auto width = static_cast<std::int64_t>(Count);
  const auto at = [phase = phaseOf(seed)](std::int64_t i) {
    return phase + static_cast<std::size_t>(i % period);
  };
  const Places places(count / width, seed);
  std::int64_t i = from;
  for (std::int64_t place = places.of(from / width); i + width <= to; i += width) {
    changeTogether<Count>(into + i, base + place * width, bits, at(i));
    place = places.after(place);
  }
  // What is left is the tensor's end, too short to move.
  for (; i < to; ++i) changeTogether<1>(into + i, base + i, bits, at(i));
}

template <class U>
void writeOnHost(U* into, const U* base, std::int64_t count, const ValueChange& change, std::uint64_t seed,
                 std::int64_t from, std::int64_t to) {
  const Bits<U>& bits = bitsOf<U>(change, seed);
  if (together(count) == 1) return writeTogether<1>(into, base, count, bits, seed, from, to);
  if (together(count) == 16) return writeTogether<16>(into, base, count, bits, seed, from, to);
  writeTogether<static_cast<std::size_t>(period)>(into, base, count, bits, seed, from, to);
}

/// So few rows that move together are shuffled: what a start and a step make of them would soon come again.
constexpr std::int64_t fewTogether = 64;

/// The row of `base` from which each of a few comes.
at::Tensor shuffled(std::int64_t count, std::uint64_t seed) {
  at::Tensor places = at::empty({count}, at::TensorOptions(at::kLong));
  auto* const place = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto other = static_cast<std::int64_t>(mixSeeds(seed, static_cast<std::uint64_t>(i)) %
                                                 static_cast<std::uint64_t>(i + 1));
    place[i] = place[other];
    place[other] = i;
  }
  return places;
}

/// Way::moveTogether on any device, of few rows, and on the host.
void writeRows(const at::Tensor& into, const at::Tensor& base, std::int64_t width, std::uint64_t seed,
               std::int64_t from, std::int64_t to) {
  const std::int64_t count = base.numel() / width, first = from / width, rows = (to - from) / width;
  if (count <= fewTogether) {
    at::Tensor target = into.narrow(0, from, rows * width).view({rows, width});
    const at::Tensor places = shuffled(count, seed).narrow(0, first, rows).to(base.device());
    at::index_select_out(target, base.view({count, width}), 0, places);
    return;
  }
  const auto bytes = static_cast<std::size_t>(width * base.element_size());
  auto* target = static_cast<std::byte*>(into.mutable_data_ptr()) + static_cast<std::size_t>(first) * bytes;
  const auto* const source = static_cast<const std::byte*>(base.const_data_ptr());
  const Places places(count, seed);
  std::int64_t place = places.of(first);
  for (std::int64_t i = 0; i < rows; ++i, target += bytes, place = places.after(place))
    std::memcpy(target, source + static_cast<std::size_t>(place) * bytes, bytes);
}

template <class U>
void write(const at::Tensor& into, const at::Tensor& base, const ValueChange& change, std::uint64_t seed,
           std::int64_t from, std::int64_t to) {
  writeOnHost(static_cast<U*>(into.mutable_data_ptr()), static_cast<const U*>(base.const_data_ptr()),
              base.numel(), change, seed, from, to);
}

/// Calls `use` with an unsigned number as wide as an element.
template <class Use>
void withUnits(std::int64_t bytes, const Use& use) {
  switch (bytes) {
    case 8:
      return use(std::uint64_t{});
    case 4:
      return use(std::uint32_t{});
    case 2:
      return use(std::uint16_t{});
    default:
      return use(std::uint8_t{});
  }
}

}  // namespace

ValueOrigin originOfOwn(const at::Tensor& tensor) {
  // Of fewer rows nobody has enough contents that are new each time.
  constexpr std::int64_t fewestTogether = 8, fewestNumbers = 64;
  const std::int64_t together = numbersTogether(tensor);
  const bool areRows = together > 0 && tensor.numel() / together >= fewestTogether;
  if (areRows && looksDrawn(tensor, fewestNumbers)) return ValueOrigin::drawnTogether;
  return looksDrawn(tensor) ? ValueOrigin::drawn : ValueOrigin::own;
}

ValueChange changeOf(const at::Tensor& tensor, std::string_view argument, ValueOrigin origin) {
  using Way = ValueChange::Way;
  const at::ScalarType type = tensor.scalar_type();
  const bool real = at::isFloatingType(type) || at::isComplexType(type);
  if (c10::isQIntType(type) || c10::isBitsType(type)) return {};
  if (origin == ValueOrigin::own)
    return {real && !at::isFloat8Type(type) ? Way::scale : Way::keep, 0, 0, false};
  ValueChange change{Way::move, 0, 0, false};
  if (origin == ValueOrigin::drawnTogether) {
    change.way = Way::moveTogether;
    change.together = numbersTogether(tensor);
    return change;
  }
  // A number of [0, 1) stays one.
  if (origin == ValueOrigin::drawn) {
    // Weights that add up to one do so at other places, too.
    if (tensor.dim() == 1 && numbersTogether(tensor) > 0) return change;
    if (real) change.single = change.flipped = floatBits(type).fraction;
    return change;
  }
  if (origin == ValueOrigin::pointwise || origin == ValueOrigin::special) return change;
  if (type == at::kBool) change.flipped = 1;
  const FloatBits bits = real ? floatBits(type) : FloatBits{};
  change.flipped |= bits.fraction | (origin == ValueOrigin::normal ? bits.sign : 0);
  change.cleared = bits.exponent;
  const bool isWhole = at::isIntegralType(type, /*includeBool=*/false) && !isIndexArgument(argument);
  change.negated = isWhole && at::isSignedType(type);
  change.single = isWhole ? wholeSingle : change.flipped;
  return change;
}

at::Tensor flatMemory(const at::Tensor& tensor) {
  const at::Tensor all = tensor.as_strided({extent(tensor.sizes(), tensor.strides())}, {1});
  return all.is_complex() ? at::view_as_real(all).view({-1}) : all;
}

std::uint64_t bitsFarOut(at::ScalarType type) {
  if (!at::isReducedFloatingType(type) || c10::elementSize(type) != 2) return 0;
  const FloatBits bits = floatBits(type);
  return bits.sign | bits.exponent | bits.exponent << 1;
}

void putFarOut(std::byte* number, at::ScalarType type, bool isNegative) {
  constexpr std::uint64_t three = 3;  // 2^3 is 8
  const FloatBits bits = at::isFloatingType(type) ? floatBits(type) : FloatBits{};
  if (bits.exponent == 0) return;
  const std::uint64_t exponents = bits.sign - bits.exponent, zero = (exponents / bits.exponent) / 2;
  const std::size_t bytes = c10::elementSize(type);
  std::uint64_t value = 0;
  std::memcpy(&value, number, bytes);
  value &= ~(exponents | bits.sign);
  value |= (zero + three) * bits.exponent | (isNegative ? bits.sign : 0);
  std::memcpy(number, &value, bytes);
}

std::uint64_t joinedSeed(std::uint64_t table, std::uint64_t place) {
  return table << placeSeedBits | (mixSeeds(place, 7) >> (64 - placeSeedBits));
}

WorkedOutChange workedOut(const ValueChange& change, std::uint64_t seed, std::int64_t elements,
                          std::int64_t bytes) {
  WorkedOutChange made;
  made.width = change.way == ValueChange::Way::moveTogether ? change.together : together(elements);
  made.phase = static_cast<std::int64_t>(phaseOf(seed));
  const Places places(elements / made.width, seed);
  made.blocks = places.count, made.start = places.start, made.step = places.step;
  withUnits(bytes, [&](auto unit) {
    const auto& bits = bitsOf<decltype(unit)>(change, seed);
    std::copy_n(bits.kept.begin(), made.kept.size(), made.kept.begin());
    std::copy_n(bits.flipped.begin(), made.flipped.size(), made.flipped.begin());
    std::copy_n(bits.added.begin(), made.added.size(), made.added.begin());
  });
  return made;
}

void writeChanged(const at::Tensor& into, const at::Tensor& base, const ValueChange& change,
                  std::uint64_t seed, std::int64_t from, std::int64_t to, const DeviceValues* device) {
  if (change.way == ValueChange::Way::keep || from >= to) return;
  if (change.way == ValueChange::Way::scale || change.way == ValueChange::Way::redraw) {
    const double below = 0.5 + 0.48 * static_cast<double>(mixSeeds(seed, 6) >> 11) * 0x1p-53;
    const double factor = change.way == ValueChange::Way::scale ? below : 1;
    at::Tensor scaled = into;
    at::mul_out(scaled, base, at::scalar_tensor(factor, base.options().device(at::kCPU)));
    return;
  }
  if (change.way == ValueChange::Way::moveTogether &&
      (into.is_cpu() || base.numel() / change.together <= fewTogether))
    return writeRows(into, base, change.together, seed, from, to);
  if (!into.is_cpu()) {
    if (device != nullptr)
      device->write(into, base, workedOut(change, seed, base.numel(), base.element_size()), from, to);
    return;
  }
  withUnits(base.element_size(),
            [&](auto unit) { write<decltype(unit)>(into, base, change, seed, from, to); });
}

}  // namespace wb
