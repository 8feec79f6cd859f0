// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problems/single_numbers.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// Of more dimensions there are too many ways to choose.
constexpr std::size_t mostDimensions = 5;
/// Of fewer numbers than `fewChosen` one choice may miss what a kernel leaves out, so that there are more.
constexpr std::int64_t fewChosen = 8;
constexpr std::uint64_t choicesOfFew = 4;
/// Rounding may be the same with other bits, but not so often, of tens of millions of numbers.
constexpr std::uint64_t timesSteady = 5;
/// The noise of an honest kernel's, as of transforms, that makes nothing of a change, makes something of it
/// in one of so many times.
constexpr std::uint64_t timesUnnoticed = 16;
/// Of what is wrong so much is unnoticed: a kernel that is wrong in another way with such numbers, as one
/// that hides others by a number that is no longer the smallest, has the old answer here and there by chance.
constexpr double leastUnnoticed = 0.125;
/// Of fewer wrong ones an eighth may be chance, and whoever leaves a number out leaves it out of most of
/// them.
constexpr std::int64_t fewWrong = 1024;
constexpr double leastOfFew = 0.5;
/// What is smaller may have lost factors that other numbers bring back: in which order is up to each side.
constexpr double smallest = 1e-30;
/// float16 has room for the squares of usual numbers that are so many octaves larger.
constexpr int mostInHalf = 5;

std::vector<std::int64_t> wideDimensions(const at::Tensor& tensor) {
  std::vector<std::int64_t> wide;
  for (std::int64_t i = 0; i < tensor.dim(); ++i)
    if (tensor.size(i) > 1) wide.push_back(i);
  return wide;
}

/// A place along a dimension for each of the numbers: mostly any, now and then the first or the last.
at::Tensor placesAlong(std::int64_t size, at::IntArrayRef shape, std::uint64_t seed) {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  const at::TensorOptions whole(at::kLong);
  const at::Tensor lot = at::empty(shape, whole).random_(0, 8, generator);
  const at::Tensor any = at::empty(shape, whole).random_(0, size, generator);
  const at::Tensor last = at::where(lot == 1, at::empty(shape, whole).fill_(size - 1), any);
  return at::where(lot == 0, at::empty(shape, whole).fill_(0), last);
}

/// True where a number is one of those.
at::Tensor isChosen(const at::Tensor& tensor, const SingleNumbers& numbers) {
  std::vector<std::int64_t> shape = tensor.sizes().vec();
  for (const std::int64_t each : numbers.along) shape[static_cast<std::size_t>(each)] = 1;
  at::Tensor chosen;
  for (const std::int64_t each : numbers.along) {
    std::vector<std::int64_t> line(shape.size(), 1);
    line[static_cast<std::size_t>(each)] = tensor.size(each);
    const at::Tensor place =
        placesAlong(tensor.size(each), shape, mixSeeds(numbers.seed, static_cast<std::uint64_t>(each)))
            .to(tensor.device());
    const at::Tensor here =
        at::arange(tensor.size(each), place.options()).view(line).eq(place).expand(tensor.sizes());
    chosen = chosen.defined() ? chosen.logical_and(here) : here;
  }
  return chosen;
}

/// One output of both sides, as numbers of float64.
struct Changed {
  at::Tensor before, after, was, is;

  [[nodiscard]] at::Tensor change() const { return (is - was).abs(); }
  [[nodiscard]] at::Tensor isOtherBy(double times) const {
    return change() > times * (was.abs() + typicalSize(was));
  }
  /// Where the kernel says what it said before.
  [[nodiscard]] at::Tensor isUnnoticed(const at::Tensor& now) const {
    constexpr double noticed = 0.01;
    return ((now - before).abs() < noticed * change())
        .logical_and(at::maximum(before.abs(), was.abs()) > smallest);
  }
  /// Where somebody says nearly the same as the reference.
  [[nodiscard]] at::Tensor isSaidAgain(const at::Tensor& again) const {
    constexpr double near = 0.1;
    return (again - is).abs() < near * change();
  }
};

bool isAsked(const Output& output) {
  return output.tensor.defined() && output.tensor.is_floating_point() && output.tensor.numel() > 0;
}

void addChoices(std::vector<SingleNumbers>& all, SingleNumbers one, const at::Tensor& tensor,
                std::uint64_t seed) {
  if (!mayBeOthers(tensor)) return;
  const std::vector<std::int64_t> wide = wideDimensions(tensor);
  if (wide.size() > mostDimensions) return;
  for (std::uint32_t set = 1; set < 1U << wide.size(); ++set) {
    one.along.clear();
    std::int64_t chosen = tensor.numel();
    for (std::size_t each = 0; each < wide.size(); ++each)
      if (((set >> each) & 1U) != 0) {
        one.along.push_back(wide[each]);
        chosen /= tensor.size(wide[each]);
      }
    for (std::uint64_t turn = 0; turn < (chosen < fewChosen ? choicesOfFew : 1); ++turn) {
      one.seed = mixSeeds(seed, mixSeeds(set, turn));
      all.push_back(one);
    }
  }
}

}  // namespace

at::Tensor tensorOf(const Stack& arguments, const SingleNumbers& numbers) {
  const c10::IValue& argument = arguments[numbers.argument];
  return argument.isTensor() ? argument.toTensor() : argument.toTensorList().get(numbers.item);
}

std::vector<SingleNumbers> choicesOf(const Stack& arguments, std::uint64_t seed) {
  std::vector<SingleNumbers> all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].isTensor()) addChoices(all, {i}, arguments[i].toTensor(), mixSeeds(seed, i));
    if (!arguments[i].isTensorList()) continue;
    const c10::List<at::Tensor> list = arguments[i].toTensorList();
    for (std::size_t item = 0; item < list.size(); ++item)
      addChoices(all, {i, item}, list.get(item), mixSeeds(mixSeeds(seed, i), item + 1));
  }
  std::shuffle(all.begin(), all.end(), std::mt19937_64(seed));
  std::stable_partition(all.begin(), all.end(),
                        [](const SingleNumbers& each) { return each.along.size() == 1; });
  return all;
}

std::optional<Stack> withLarger(const Stack& arguments, const SingleNumbers& numbers, int octaves) {
  const at::Tensor tensor = tensorOf(arguments, numbers);
  if (tensor.scalar_type() == at::kHalf && octaves > mostInHalf) return std::nullopt;
  Stack all = arguments;
  at::Tensor larger = tensor.clone();
  const at::Tensor chosen = isChosen(tensor, numbers);
  larger.mul_(at::where(chosen, std::exp2(octaves), 1.0).to(tensor.scalar_type()));
  if (arguments[numbers.argument].isTensor()) {
    all[numbers.argument] = std::move(larger);
    return all;
  }
  c10::List<at::Tensor> list = arguments[numbers.argument].toTensorList().copy();
  list.set(numbers.item, std::move(larger));
  all[numbers.argument] = std::move(list);
  return all;
}

bool takesNoNotice(const BeforeAndAfter& kernel, const BeforeAndAfter& reference, const AskedAgain& again) {
  constexpr double far = 0.5, severalTimes = 4;
  const std::vector<Output> before = flatOutputs(kernel.before), after = flatOutputs(kernel.after),
                            was = flatOutputs(reference.before), is = flatOutputs(reference.after);
  const auto isAlike = [&](const std::vector<Output>& others) { return others.size() == was.size(); };
  if (!isAlike(before) || !isAlike(after) || !isAlike(is)) return false;
  for (std::size_t i = 0; i < was.size(); ++i) {
    const auto isToo = [&](const Output& other) {
      return isAsked(other) && other.tensor.sizes() == was[i].tensor.sizes();
    };
    if (!isAsked(was[i]) || !isToo(is[i]) || !isToo(before[i]) || !isToo(after[i])) continue;
    const auto wide = [](const Output& output) { return output.tensor.to(at::kDouble); };
    const Changed changed{wide(before[i]), wide(after[i]), wide(was[i]), wide(is[i])};
    at::Tensor found = changed.isUnnoticed(changed.after);
    if (!found.any().item<bool>()) continue;  // without a look at all sizes, which takes longer
    // Where there is something to notice.
    at::Tensor counts = changed.isOtherBy(far);
    const auto isFound = [&] { return found.logical_and(counts).any().item<bool>(); };
    if (!isFound()) continue;
    const auto numbersOf = [&](const std::optional<Stack>& other) {
      const std::vector<Output> all = other ? flatOutputs(*other) : std::vector<Output>();
      return isAlike(all) && isToo(all[i]) ? std::optional(wide(all[i])) : std::nullopt;
    };
    for (std::uint64_t turn = 0; turn < timesSteady && isFound(); ++turn) {
      const auto steady = numbersOf(again.withOtherBits(turn));
      if (!steady) return false;
      counts = counts.logical_and(changed.isSaidAgain(*steady));
    }
    if (!isFound()) continue;
    if (const auto exact = numbersOf(again.inFloat64()))
      counts = counts.logical_and(changed.isSaidAgain(*exact));
    else if (!again.losesNothing)
      counts = counts.logical_and(changed.isOtherBy(severalTimes));
    for (std::uint64_t turn = 0; turn < timesUnnoticed && isFound(); ++turn)
      if (const auto now = numbersOf(again.kernelWithOtherBits(turn)))
        found = found.logical_and(changed.isUnnoticed(*now));
    const auto isWrong = counts.logical_and(changed.isSaidAgain(changed.after).logical_not());
    // Whoever is right there may have rounded to zero before what the reference has not, or the other way.
    const auto unnoticed = found.logical_and(isWrong).sum().item<std::int64_t>();
    const auto wrong = isWrong.sum().item<std::int64_t>();
    const double share = wrong < fewWrong ? leastOfFew : leastUnnoticed;
    if (unnoticed > 0 && static_cast<double>(unnoticed) >= share * static_cast<double>(wrong)) return true;
  }
  return false;
}

}  // namespace wb
