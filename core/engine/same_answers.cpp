// SPDX-License-Identifier: Apache-2.0
#include "core/engine/same_answers.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/isclose.h>
#include <ATen/ops/stack.h>

#include <optional>
#include <vector>

#include "core/engine/check/check.h"

namespace wb {
namespace {

/// Of one output of all calls together; above, call by call is no worse.
constexpr std::int64_t kMostElements = std::int64_t{1} << 25;

/// The value at a place of all stacks as one tensor; nothing where they are not alike.
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
  if (tensors.empty() || tensors.front().numel() * static_cast<std::int64_t>(tensors.size()) > kMostElements)
    return std::nullopt;
  return at::stack(tensors);
}

/// A truth that is still the device's.
void join(at::Tensor& all, const at::Tensor& one) {
  all = all.defined() ? all.logical_and(one) : one;
}

bool alike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && a.device() == b.device();
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
    const Bounds bound = bounds(tolerance, c->scalar_type());
    join(all, at::isclose(c->to(at::kDouble), e->to(at::kDouble), bound.rtol, bound.atol, /*equal_nan=*/true)
                  .all());
  }
  return all.defined() && all.item<bool>();
}

bool surelySame(std::span<const Stack> before, std::span<const Stack> after) {
  at::Tensor all;
  for (std::size_t place = 0; place < before.front().size(); ++place) {
    const c10::IValue& value = before.front()[place];
    if (value.isTensorList() || value.isOptionalTensorList()) return false;
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    const auto a = together(before, place), b = together(after, place);
    if (!a || !b || !alike(*a, *b)) return false;
    if (a->numel() == 0) continue;
    join(all, a->view(at::kByte).eq(b->view(at::kByte)).all());
  }
  if (!all.defined()) return true;
  return all.item<bool>();
}

}  // namespace wb
