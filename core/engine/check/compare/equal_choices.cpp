// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/equal_choices.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/sort.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

enum class Choice { none, one, row };

/// Whether an operator chooses one of equal values, or the order of a row of them.
Choice choiceOf(const c10::OperatorHandle& op, const Stack& arguments) {
  std::string_view name = op.schema().name();
  name.remove_prefix(name.starts_with("aten::") ? 6 : 0);
  constexpr std::array one{"kthvalue", "median", "nanmedian", "mode"};
  if (std::find(one.begin(), one.end(), name) != one.end()) return Choice::one;
  if (name == "topk") return Choice::row;
  if (name != "sort") return Choice::none;
  const auto stable = argumentNamed(op, arguments, "stable");
  return stable && stable->isBool() && stable->toBool() ? Choice::none : Choice::row;
}

bool isTensor(const Stack& values, std::size_t at) {
  return at < values.size() && values[at].isTensor() && values[at].toTensor().defined();
}

bool equalWithNan(const at::Tensor& a, const at::Tensor& b) {
  return a.eq(b).logical_or(a.ne(a).logical_and(b.ne(b))).all().item<bool>();
}

/// Whether `places` along a dimension of `input` name the very `values`.
bool areThere(const at::Tensor& input, const at::Tensor& places, const at::Tensor& values, std::int64_t dim,
              Choice choice) {
  if (places.scalar_type() != at::kLong || places.sizes() != values.sizes()) return false;
  const bool isDropped = places.dim() < input.dim();
  const at::Tensor at = isDropped ? places.unsqueeze(dim) : places;
  const at::Tensor wanted = isDropped ? values.unsqueeze(dim) : values;
  if (at.numel() == 0 || at.min().item<std::int64_t>() < 0 ||
      at.max().item<std::int64_t>() >= input.size(dim))
    return false;
  if (!equalWithNan(at::gather(input, dim, at), wanted)) return false;
  if (choice == Choice::one || at.size(dim) < 2) return true;
  const at::Tensor inOrder = std::get<0>(at::sort(at, dim));
  return at::diff(inOrder, 1, dim).ne(0).all().item<bool>();
}

}  // namespace

Stack withEqualChoices(const c10::OperatorHandle& op, const Stack& pristine, const Stack& actual,
                       const Stack& expected) {
  const Choice choice = choiceOf(op, pristine);
  if (choice == Choice::none || expected.size() != 2 || actual.size() != 2 || !isTensor(pristine, 0) ||
      !isTensor(expected, 0) || !isTensor(expected, 1) || !isTensor(actual, 1))
    return expected;
  const at::Tensor &input = pristine[0].toTensor(), &theirs = actual[1].toTensor();
  if (input.dim() == 0 || theirs.sizes() != expected[1].toTensor().sizes() ||
      theirs.equal(expected[1].toTensor()))
    return expected;
  const std::int64_t last = -1;
  const auto given = argumentNamed(op, pristine, "dim");
  const std::int64_t dim = c10::maybe_wrap_dim(given && given->isInt() ? given->toInt() : last, input.dim());
  if (!areThere(input, theirs, expected[0].toTensor(), dim, choice)) return expected;
  return {expected[0], theirs};
}

}  // namespace wb
