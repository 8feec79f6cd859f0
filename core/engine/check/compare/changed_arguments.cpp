// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

/// All elements of the memory that a tensor spans, also those that a strided view skips, since a kernel must
/// not write there either.
at::Tensor spannedElements(const at::Tensor& tensor) {
  if (tensor.layout() != at::kStrided || tensor.is_contiguous()) return tensor;
  return tensor.as_strided({extent(tensor.sizes(), tensor.strides())}, {1});
}

bool changed(const at::Tensor& before, const at::Tensor& after) {
  if (before.defined() != after.defined()) return true;
  if (!before.defined()) return false;
  if (before.sizes() != after.sizes() || before.strides() != after.strides() ||
      before.scalar_type() != after.scalar_type())
    return true;  // it was resized or given another type in place
  return !sameBits(spannedElements(before), spannedElements(after));
}

bool changed(const c10::IValue& before, const c10::IValue& after) {
  if (before.isTensor()) return changed(before.toTensor(), after.toTensor());
  if (before.isTensorList()) {
    const auto a = before.toTensorVector(), b = after.toTensorVector();
    if (a.size() != b.size()) return true;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (changed(a[i], b[i])) return true;
    return false;
  }
  if (before.isOptionalTensorList()) {
    const auto a = before.toOptionalTensorVector(), b = after.toOptionalTensorVector();
    if (a.size() != b.size()) return true;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (changed(a[i].value_or(at::Tensor()), b[i].value_or(at::Tensor()))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> changedArguments(const Stack& before, const Stack& after) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i)
    if (changed(before[i], after[i])) positions.push_back(i);
  return positions;
}

}  // namespace wb
