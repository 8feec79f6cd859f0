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
  const Literal& spelling;  ///< where it stands in the call
  const TensorLiteral& literal;
  std::string_view argument;  ///< the schema's name of the argument it is, or is in
  at::Device device;
  std::uint64_t seed;  ///< its own
};

/// Makes tensors of a call. Throws std::exception with what is wrong.
using TensorSource = std::function<at::Tensor(const TensorRequest& request)>;

/// Values from the seed alone (`makeTensor`).
[[nodiscard]] at::Tensor drawnTensor(const TensorRequest& request);

/// Those that BackendBench would draw (`makeUniformTensor`).
[[nodiscard]] at::Tensor uniformTensor(const TensorRequest& request);

}  // namespace wb
