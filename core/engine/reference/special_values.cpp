// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/special_values.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

/// The first half has one special value in so many elements, which makes one in 16 of all. The other half
/// leaves rows without any; their results tell a right kernel from one that always answers NaN.
constexpr std::int64_t spacing = 8;

struct FloatLimits {
  double largest, smallest, smallestDenormal;
};

template <class T>
FloatLimits limits() {
  using Limits = std::numeric_limits<T>;
  return {static_cast<double>(Limits::max()), static_cast<double>(Limits::min()),
          static_cast<double>(Limits::denorm_min())};
}

FloatLimits limitsOf(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return limits<double>();
    case at::kHalf:
      return limits<at::Half>();
    case at::kBFloat16:
      return limits<at::BFloat16>();
    case at::kFloat8_e4m3fn:
      return limits<at::Float8_e4m3fn>();
    case at::kFloat8_e5m2:
      return limits<at::Float8_e5m2>();
    case at::kFloat8_e4m3fnuz:
      return limits<at::Float8_e4m3fnuz>();
    case at::kFloat8_e5m2fnuz:
      return limits<at::Float8_e5m2fnuz>();
    default:
      return limits<float>();
  }
}

std::vector<double> floatingValues(SpecialValues kind, at::ScalarType type) {
  const FloatLimits of = limitsOf(type);
  switch (kind) {
    case SpecialValues::nan:
      return {std::numeric_limits<double>::quiet_NaN()};
    case SpecialValues::infinity:
      return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    case SpecialValues::denormal:
      return {of.smallestDenormal, -of.smallestDenormal, of.smallest - of.smallestDenormal,
              of.smallestDenormal - of.smallest};
    case SpecialValues::extreme:
      return {of.largest, -of.largest, of.smallest, -of.smallest};
    case SpecialValues::zero:
      return {0.0, -0.0};
  }
  return {};
}

std::vector<std::int64_t> integerExtremes(at::ScalarType type) {
  const auto both = [](auto sample) -> std::vector<std::int64_t> {
    using Limits = std::numeric_limits<decltype(sample)>;
    return {Limits::max(), Limits::min() + 1};
  };
  switch (type) {
    case at::kLong:
      return both(std::int64_t{});
    case at::kInt:
      return both(std::int32_t{});
    case at::kShort:
      return both(std::int16_t{});
    case at::kChar:
      return both(std::int8_t{});
    case at::kByte:
      return {std::numeric_limits<std::uint8_t>::max()};
    case at::kUInt16:
      return {std::numeric_limits<std::uint16_t>::max()};
    case at::kUInt32:
      return {std::numeric_limits<std::uint32_t>::max()};
    default:
      return {};
  }
}

at::ScalarType bitsOf(std::size_t bytes) {
  return bytes == 8 ? at::kLong : bytes == 4 ? at::kInt : bytes == 2 ? at::kShort : at::kByte;
}

/// All of a tensor's memory, with real and imaginary parts as they lie in it.
at::Tensor flat(const at::Tensor& tensor) {
  const at::Tensor all = tensor.as_strided({extent(tensor.sizes(), tensor.strides())}, {1}, 0);
  return all.is_complex() ? at::view_as_real(all).reshape({-1}) : all;
}

/// Puts values in, one in every `spacing` elements of the first half. Writes bits, since not every type can
/// be indexed.
template <class T>
void sprinkle(const at::Tensor& elements, const std::vector<T>& values, bool gaps, std::uint64_t seed) {
  const std::int64_t all = (elements.numel() + 1) / 2, count = (all + spacing - 1) / spacing;
  const at::Tensor places = at::empty({count}, at::kLong);
  const at::Tensor chosen = at::empty({count}, std::is_same_v<T, double> ? at::kDouble : at::kLong);
  auto* const place = places.mutable_data_ptr<std::int64_t>();
  auto* const value = chosen.mutable_data_ptr<T>();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t random = mixSeeds(seed, static_cast<std::uint64_t>(i));
    const std::int64_t room = std::min(spacing, all - i * spacing);
    // Strided memory has gaps that nobody sees; the first element is never in one.
    const bool first = gaps && i == 0;
    place[i] =
        i * spacing + (first ? 0 : static_cast<std::int64_t>(random % static_cast<std::uint64_t>(room)));
    value[i] = values[(random >> 32) % values.size()];
  }
  const at::ScalarType bits = bitsOf(elements.element_size());
  elements.view(bits).index_copy_(0, places.to(elements.device()),
                                  chosen.to(elements.scalar_type()).view(bits).to(elements.device()));
}

}  // namespace

bool isIndexArgument(std::string_view argument) {
  constexpr std::array words{"ind",    "offset", "target", "length", "repeat", "sorter",
                             "bucket", "size",   "label",  "dim",    "batch",  "count"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return argument.find(word) != std::string_view::npos; });
}

std::optional<SpecialValues> specialValues(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, SpecialValues>, 5> all{
      {{"nan", SpecialValues::nan},
       {"infinity", SpecialValues::infinity},
       {"denormal", SpecialValues::denormal},
       {"extreme", SpecialValues::extreme},
       {"zero", SpecialValues::zero}}};
  for (const auto& [known, kind] : all)
    if (known == name) return kind;
  return std::nullopt;
}

TensorSource specialTensors(SpecialValues kind) {
  return [kind](const TensorRequest& request) {
    at::Tensor tensor = drawnTensor(request);
    if (tensor.numel() == 0) return tensor;
    const std::uint64_t seed = mixSeeds(request.seed, 0x5bec1a1);
    if (tensor.is_floating_point() || tensor.is_complex()) {
      const at::Tensor elements = flat(tensor);
      sprinkle(elements, floatingValues(kind, elements.scalar_type()), !tensor.is_contiguous(), seed);
    } else if (const auto values = integerExtremes(tensor.scalar_type());
               kind == SpecialValues::extreme && !values.empty() && !isIndexArgument(request.argument)) {
      sprinkle(flat(tensor), values, !tensor.is_contiguous(), seed);
    }
    return tensor;
  };
}

}  // namespace wb
