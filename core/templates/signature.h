// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/templates/schema.h"

namespace wb {

/// The name of a function that implements the operator: "sum__dim_IntList_kernel_impl", "relu_kernel_impl".
[[nodiscard]] std::string functionName(const Schema& schema);

/// A C++ function with the operator's arguments, and a body that asks ATen.
struct CppSignature {
  /// "const at::Tensor& self, const at::Scalar& alpha".
  std::string parameters;
  /// "at::Tensor", "at::Tensor&", "std::tuple<at::Tensor, at::Tensor>", "void".
  std::string returns;
  /// The headers that the body needs, as lines.
  std::string include;
  /// The lines of the body.
  std::string body;
};
/// The error says which type C++ kernels cannot return.
Result<CppSignature> cppSignature(const Schema& schema);

/// The parameters of a Python function with the operator's arguments and defaults: "self, dim=None, *,
/// dtype=None".
[[nodiscard]] std::string pythonParameters(const Schema& schema);
/// The call of ATen's operator with these: "torch.ops.aten.sum.dim_IntList(self, dim, dtype=dtype)".
[[nodiscard]] std::string pythonCall(const Schema& schema);

}  // namespace wb
