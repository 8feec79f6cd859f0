// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/value_looks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "core/engine/cases/changed_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// Of fewer rows two may be alike by chance.
constexpr std::int64_t fewestRows = 8;

/// The tensor with its dimensions in the order in which they lie in memory; undefined where there are gaps,
/// or where two of its numbers are one.
at::Tensor asItLies(const at::Tensor& tensor) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(tensor.dim()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return tensor.stride(a) > tensor.stride(b); });
  const at::Tensor lies = tensor.permute(order);
  return lies.is_contiguous() ? lies : at::Tensor();
}

/// Rows along a dimension of a contiguous tensor: a few of millions say it, too.
at::Tensor rowsAlong(const at::Tensor& lies, std::int64_t dimension) {
  constexpr std::int64_t enough = 1 << 16;
  const auto sizes = lies.sizes();
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
  };
  const std::int64_t outer = product(sizes.begin(), sizes.begin() + dimension);
  const std::int64_t inner = product(sizes.begin() + dimension + 1, sizes.end());
  const std::int64_t size = sizes[static_cast<std::size_t>(dimension)];
  const std::int64_t wanted = std::max(fewestRows, enough / size);
  const std::int64_t outerStep = std::max<std::int64_t>(1, outer / wanted);
  const std::int64_t innerStep = std::max<std::int64_t>(1, inner / std::max<std::int64_t>(1, wanted / outer));
  const at::Tensor some =
      lies.view({outer, size, inner}).slice(0, 0, outer, outerStep).slice(2, 0, inner, innerStep);
  return some.to(at::kCPU, at::kDouble).transpose(1, 2).reshape({-1, size});
}

/// Whether numbers add up to one, or are a direction.
bool isUnit(const at::Tensor& row) {
  constexpr double near = 1e-4;
  return std::abs(row.sum().item<double>() - 1) < near ||
         std::abs(row.square().sum().item<double>() - 1) < near;
}

/// Whether rows have one and the same sum or length. Long rows of numbers that are drawn have nearly the same
/// sum, too, and so have rows that are copies of each other but for little: neither was made so.
bool areNormalised(const at::Tensor& rows, bool isShort) {
  constexpr double alike = 1e-2, thanDrawn = 0.1, ofFewThanDrawn = 1e-4;
  if (rows.size(0) < 2) return isUnit(rows.select(0, 0));
  // Few may be alike by chance, and short numbers do not add up to the same.
  const bool areFew = rows.size(0) < fewestRows;
  if (areFew && isShort) return false;
  const double most = areFew ? ofFewThanDrawn : thanDrawn;
  const at::Tensor first = rows.select(0, 0);
  if (((rows - first).abs().max() <= alike * first.abs().max()).item<bool>()) return false;
  std::vector<at::Tensor> sights{rows, rows.square()};
  // As logarithms of probabilities are.
  if (rows.max().item<double>() <= 0) sights.push_back(rows.exp());
  return std::any_of(sights.begin(), sights.end(), [&](const at::Tensor& each) {
    const at::Tensor sums = each.sum(-1);
    const auto apart = (sums.max() - sums.min()).item<double>();
    const double drawn = std::sqrt(each.var(-1).mean().item<double>() * static_cast<double>(each.size(-1)));
    return apart <= alike * sums.abs().max().item<double>() && apart <= most * drawn;
  });
}

/// Whether in each row the number in one column is no larger than that in another one: of short rows any two,
/// of long ones all that are side by side.
bool areOrdered(const at::Tensor& rows) {
  constexpr std::int64_t fewest = 32, longest = 16;
  if (rows.size(0) < fewest || rows.size(1) < 2) return false;
  const auto isNeverAbove = [](const at::Tensor& low, const at::Tensor& high) {
    return low.le(high).all().item<bool>() && low.lt(high).any().item<bool>();
  };
  if (rows.size(1) > longest) {
    const at::Tensor before = rows.slice(1, 0, -1), after = rows.slice(1, 1);
    return isNeverAbove(before, after) || isNeverAbove(after, before);
  }
  for (std::int64_t i = 0; i < rows.size(1); ++i)
    for (std::int64_t j = 0; j < rows.size(1); ++j)
      if (i != j && isNeverAbove(rows.select(1, i), rows.select(1, j))) return true;
  return false;
}

/// How many numbers of a sample are different, and how often the most frequent one comes up.
struct Variety {
  std::size_t different = 0, mostAlike = 0;
};

/// Compares bits. A tree of them would take a millisecond, which is as long as a short kernel's check.
Variety varietyOf(const double* values, std::size_t count) {
  std::vector<std::uint64_t> bits(count);
  std::transform(values, values + count, bits.begin(),
                 [](double each) { return std::bit_cast<std::uint64_t>(each); });
  std::sort(bits.begin(), bits.end());
  Variety variety;
  for (std::size_t i = 0, run = 0; i < count; ++i) {
    const bool isNew = i == 0 || bits[i] != bits[i - 1];
    run = isNew ? 1 : run + 1;
    variety.different += isNew ? 1 : 0;
    variety.mostAlike = std::max(variety.mostAlike, run);
  }
  return variety;
}

/// At most so many places of a memory of `all` elements, in rising order, one at random in each of as many
/// equal parts: at regular ones a matrix may show its first column alone, or its diagonal.
at::Tensor spreadPlaces(std::int64_t all, std::int64_t most) {
  const std::int64_t step = std::max<std::int64_t>(1, all / most), count = std::min(most, all / step);
  at::Tensor places = at::empty({count}, at::TensorOptions(at::kLong));
  auto* place = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t lot = mixSeeds(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(all));
    place[i] = i * step + static_cast<std::int64_t>(lot % static_cast<std::uint64_t>(step));
  }
  return places;
}

/// Whether truths look as if a coin was tossed for each: they differ from the next one and from that of the
/// next row as often as such do, and are no square that is the same across its diagonal.
bool looksTossed(const at::Tensor& tensor) {
  constexpr std::int64_t fewest = 256, looked = 4096;
  constexpr double rarest = 0.02, nearly = 0.25;
  if (tensor.numel() < fewest || !tensor.is_contiguous()) return false;
  const at::Tensor some =
      tensor.reshape({-1}).narrow(0, 0, std::min(2 * looked, tensor.numel())).to(at::kCPU, at::kFloat);
  const auto share = some.mean().item<double>();
  if (share < rarest || share > 1 - rarest) return false;
  const auto isUsual = [&](std::int64_t apart) {
    const std::int64_t pairs = some.numel() - apart;
    if (pairs < fewest / 2) return true;
    const auto differ = some.narrow(0, 0, pairs).ne(some.narrow(0, apart, pairs)).to(at::kFloat).mean();
    return std::abs(differ.item<double>() / (2 * share * (1 - share)) - 1) < nearly;
  };
  if (!isUsual(1) || (tensor.dim() > 1 && !isUsual(tensor.size(-1)))) return false;
  return tensor.dim() < 2 || tensor.size(-1) != tensor.size(-2) || !tensor.equal(tensor.transpose(-1, -2));
}

}  // namespace

bool looksDrawn(const at::Tensor& tensor, std::int64_t fewest) {
  if (tensor.scalar_type() == at::kBool) return looksTossed(tensor);
  constexpr std::int64_t looked = 4096;
  constexpr double mostDifferent = 0.9, mostDifferentShort = 0.1, mostAlike = 0.1;
  const at::ScalarType type = tensor.scalar_type();
  if (!at::isFloatingType(type) || at::isFloat8Type(type) || tensor.numel() < fewest) return false;
  const at::Tensor memory = flatMemory(tensor);
  const at::Tensor some = memory.index_select(0, spreadPlaces(memory.numel(), looked).to(memory.device()))
                              .to(at::kCPU, at::kDouble);
  const auto* values = some.const_data_ptr<double>();
  const auto count = static_cast<std::size_t>(some.numel());
  std::size_t rising = 0;
  for (std::size_t i = 1; i < count; ++i) rising += values[i] > values[i - 1] ? 1 : 0;
  const Variety variety = varietyOf(values, count);
  const auto shareOf = [&](std::size_t part) {
    return static_cast<double>(part) / static_cast<double>(count);
  };
  if (shareOf(variety.different) < (tensor.element_size() < 4 ? mostDifferentShort : mostDifferent))
    return false;
  // What comes up so often has its places, as the zeros of a triangle do.
  if (shareOf(variety.mostAlike) > mostAlike) return false;
  if (shareOf(rising) < 0.25 || shareOf(rising) > 0.75) return false;
  const std::int64_t dimensions = tensor.dim();
  if (dimensions < 2 || tensor.size(dimensions - 1) != tensor.size(dimensions - 2)) return true;
  // The first row and the first column of the first square.
  at::Tensor square = tensor;
  while (square.dim() > 2) square = square.select(0, 0);
  return !square.select(0, 0).equal(square.select(1, 0));
}

bool areWhole(const at::Tensor& tensor) {
  if (!tensor.is_floating_point() || at::isFloat8Type(tensor.scalar_type())) return false;
  const at::Tensor memory = flatMemory(tensor);
  return memory.eq(memory.round()).all().item<bool>();
}

std::int64_t numbersTogether(const at::Tensor& tensor) {
  constexpr std::int64_t longestRow = 1 << 18;
  if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.is_floating_point() ||
      at::isFloat8Type(tensor.scalar_type()) || tensor.dim() == 0 || tensor.numel() < 2)
    return 0;
  const at::Tensor lies = asItLies(tensor);
  if (!lies.defined()) return 0;
  const bool isShort = lies.element_size() < static_cast<std::int64_t>(sizeof(float));
  std::int64_t width = lies.numel();
  for (std::int64_t d = 0; d < lies.dim(); ++d) {
    // A dimension of one says nothing, and to look at longer rows takes longer than they are worth.
    if (lies.size(d) > 1 && lies.size(d) <= longestRow) {
      const at::Tensor rows = rowsAlong(lies, d);
      if (areNormalised(rows, isShort) || (d + 1 == lies.dim() && areOrdered(rows))) return width;
    }
    width /= lies.size(d);
  }
  return 0;
}

}  // namespace wb
