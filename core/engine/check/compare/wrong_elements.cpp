// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/wrong_elements.h"

#include <ATen/ops/sub.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/check/compare/value_text.h"

namespace wb {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The elements with these numbers, on the host.
at::Tensor taken(const at::Tensor& tensor, const at::Tensor& numbers) {
  return tensor.reshape(-1).index_select(0, numbers.to(tensor.device())).cpu();
}

std::vector<double> doubles(const at::Tensor& values) {
  const at::Tensor flat = values.to(at::kDouble).contiguous();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

/// |actual − expected| of some elements, and by how many times that is more than the tolerance.
struct Distances {
  std::vector<double> difference, excess;
};

Distances distancesOf(const OutputPair& pair, const ElementRule& rule, const at::Tensor& numbers) {
  const at::Tensor actual = widened(taken(pair.actual, numbers));
  const at::Tensor expected = widened(taken(pair.expected, numbers));
  const at::Tensor& measure = rule.relativeToCandidate ? actual : expected;
  Distances distances{doubles(at::sub(actual, expected).abs()), doubles(measure.abs())};
  for (std::size_t i = 0; i < distances.excess.size(); ++i)
    distances.excess[i] =
        distances.difference[i] / (rule.bounds.atol + rule.bounds.rtol * distances.excess[i]);
  return distances;
}

at::Tensor tensorOf(const Numbers& numbers) {
  return at::tensor(at::ArrayRef<std::int64_t>(numbers), at::kLong);
}

/// The numbers of the first and of the worst wrong elements, in order.
Numbers chosen(const Numbers& places, const Distances& distances) {
  constexpr std::size_t first = WrongElements::mostElements / 2;
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > WrongElements::mostElements) {
    const auto badness = [&](std::size_t i) {
      return std::isfinite(distances.difference[i]) ? distances.excess[i] : HUGE_VAL;
    };
    std::partial_sort(order.begin() + first, order.begin() + WrongElements::mostElements, order.end(),
                      [&](std::size_t a, std::size_t b) {
                        return badness(a) != badness(b) ? badness(a) > badness(b) : a < b;
                      });
    order.resize(WrongElements::mostElements);
    std::sort(order.begin(), order.end());
  }
  Numbers numbers;
  for (const std::size_t i : order) numbers.push_back(places[i]);
  return numbers;
}

std::size_t cellOf(std::int64_t at, const WrongElements& wrong) {
  std::int64_t cell = 0, step = 1;
  for (std::size_t d = wrong.shape.size(); d-- > 0; at /= wrong.shape[d]) {
    const std::int64_t block = (wrong.shape[d] + wrong.cells[d] - 1) / wrong.cells[d];
    cell += at % wrong.shape[d] / block * step;
    step *= wrong.cells[d];
  }
  return static_cast<std::size_t>(cell);
}

}  // namespace

WrongElements wrongElementsOf(const OutputPair& pair, const ElementRule& rule, const BadPlaces& bad) {
  WrongElements wrong;
  wrong.shape = pair.expected.sizes().vec();
  wrong.cells = mapCells(wrong.shape);
  const std::int64_t elements = pair.expected.numel();
  wrong.map.assign(
      static_cast<std::size_t>(std::accumulate(wrong.cells.begin(), wrong.cells.end(), std::int64_t{1},
                                               std::multiplies<std::int64_t>())),
      '.');
  const Distances distances = distancesOf(pair, rule, tensorOf(bad.places()));
  for (std::size_t i = 0; i < bad.places().size(); ++i) {
    char& letter = wrong.map[cellOf(bad.places()[i], wrong)];
    const bool finite = std::isfinite(distances.difference[i]);
    letter = std::max(letter, mapLetter(finite ? distances.excess[i] : HUGE_VAL));
  }

  Numbers numbers = chosen(bad.places(), distances);
  if (elements <= static_cast<std::int64_t>(WrongElements::mostElements)) {
    numbers.resize(static_cast<std::size_t>(elements));
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  }
  const at::Tensor which = tensorOf(numbers);
  const Distances told = distancesOf(pair, rule, which);
  const at::Tensor expected = taken(pair.expected, which), actual = taken(pair.actual, which);
  const at::Tensor exact = pair.exact.defined() ? taken(pair.exact, which) : at::Tensor();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    wrong.elements.push_back({numbers[i], valueText(expected, at), valueText(actual, at),
                              exact.defined() ? valueText(exact, at) : std::string(),
                              std::isfinite(told.difference[i]) ? told.difference[i] : HUGE_VAL,
                              std::binary_search(bad.places().begin(), bad.places().end(), numbers[i])});
  }
  return wrong;
}

}  // namespace wb
