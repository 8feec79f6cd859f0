// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/same_answers.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/engine/check/compare/check.h"

namespace wb {
namespace {

/// How many elements of one output are compared for all calls together; above this, comparing call by call is
/// no slower.
constexpr std::int64_t mostElements = std::int64_t{1} << 25;

/// The values at one place of all stacks as one tensor; nothing where they are not alike.
std::optional<at::Tensor> together(std::span<const Stack> stacks, std::size_t place) {
  std::vector<at::Tensor> tensors;
  for (const Stack& stack : stacks) {
    if (place >= stack.size() || !stack[place].isTensor()) return std::nullopt;
    const at::Tensor& tensor = stack[place].toTensor();
    if (!tensor.defined() || tensor.layout() != at::kStrided) return std::nullopt;
    const at::Tensor& first = tensors.empty() ? tensor : tensors.front();
    if (tensor.sizes() != first.sizes() || tensor.scalar_type() != first.scalar_type() ||
        tensor.device() != first.device())
      return std::nullopt;
    tensors.push_back(tensor);
  }
  if (tensors.empty() || tensors.front().numel() * static_cast<std::int64_t>(tensors.size()) > mostElements)
    return std::nullopt;
  return at::stack(tensors);
}

/// Joins truths that are still on the device.
void join(at::Tensor& all, const at::Tensor& one) {
  all = all.defined() ? all.logical_and(one) : one;
}

bool alike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && a.device() == b.device();
}

/// A tolerance so narrow that no result of a lower type is within it, so that the careful judgement is not
/// needed: `share` of the mean size is the most that an element may be off absolutely.
struct SureBounds {
  Bounds bounds;
  double share = std::numeric_limits<double>::infinity();
};

SureBounds surelyWithin(const Tolerance& tolerance, at::ScalarType dtype) {
  const Bounds given = bounds(tolerance, dtype);
  if (tolerance.preset != "torch") return {given};
  if (dtype == at::kDouble) return {{0x1p-31, given.atol}, 0x1p-31};
  if (dtype == at::kFloat) return {given, 0x1p-15};
  return {given};
}

at::Tensor within(const at::Tensor& c, const at::Tensor& e, const SureBounds& sure) {
  const at::Tensor size = e.abs();
  at::Tensor allowed = size.mul(sure.bounds.rtol);
  if (std::isfinite(sure.share))
    allowed = allowed.add(size.mean().mul(sure.share).clamp_max(sure.bounds.atol));
  else
    allowed = allowed.add(sure.bounds.atol);
  const at::Tensor near = c.sub(e).abs().le(allowed).logical_and(allowed.isfinite());
  return near.logical_or(c.eq(e)).logical_or(c.isnan().logical_and(e.isnan())).all();
}

}  // namespace

bool surelyClose(std::span<const Stack> actual, std::span<const Stack> expected, const Tolerance& tolerance) {
  if (tolerance.preset != "torch" && tolerance.preset != "given") return false;
  if (actual.empty() || actual.front().size() != expected.front().size()) return false;
  at::Tensor all;
  for (std::size_t place = 0; place < actual.front().size(); ++place) {
    const auto c = together(actual, place), e = together(expected, place);
    if (!c || !e || !alike(*c, *e) || c->is_complex()) return false;
    if (!c->is_floating_point()) {
      join(all, c->eq(*e).all());
      continue;
    }
    join(all, within(c->to(at::kDouble), e->to(at::kDouble), surelyWithin(tolerance, c->scalar_type())));
  }
  return all.defined() && all.item<bool>();
}

}  // namespace wb
