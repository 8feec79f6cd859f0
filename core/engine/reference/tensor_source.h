// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/model/operators/literal.h"

namespace wb {

/// One tensor that a call needs.
struct TensorRequest {
  /// Where it stands in the call.
  const Literal& spelling;
  const TensorLiteral& literal;
  /// The schema's name of the argument that it is, or that it is in.
  std::string_view argument;
  at::Device device;
  /// The tensor's own seed.
  std::uint64_t seed;
};

/// Makes the tensors of a call. Throws std::exception that says what is wrong.
using TensorSource = std::function<at::Tensor(const TensorRequest& request)>;

/// A tensor whose values come from the seed alone (`makeTensor`).
[[nodiscard]] at::Tensor drawnTensor(const TensorRequest& request);

/// A tensor with the values that BackendBench would draw (`makeUniformTensor`).
[[nodiscard]] at::Tensor uniformTensor(const TensorRequest& request);

}  // namespace wb
