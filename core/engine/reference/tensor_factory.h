// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/operators/literal.h"

namespace wb {

/// torch's type for a name of the trace grammar or torch's own ("f32", "torch.float32", "th.int64").
[[nodiscard]] std::optional<at::ScalarType> scalarType(std::string_view name);

/// The trace grammar's abbreviation of a type ("f32"); torch's name where it has none.
[[nodiscard]] std::string_view abbreviation(at::ScalarType type);

/// A tensor of a literal's shape, strides and type whose values come from `seed` alone. Floating and complex
/// types have the standard normal distribution, so that relu, abs, the identity, zeros and ones all differ.
/// Signed integers are -9 … 9, unsigned ones 0 … 9, booleans either. A strided tensor fills an extent of 1 +
/// Σ(size−1)·stride elements and is a view of it (as in BackendBench: expanded dimensions share data). Values
/// are drawn on the CPU and copied, so that all devices see the same; a device draws more than a million
/// elements itself, which is far faster. Throws what torch throws.
[[nodiscard]] at::Tensor makeTensor(const TensorLiteral& literal, at::Device device, std::uint64_t seed);

/// The same with the values that BackendBench draws for a trace: floating types uniform from 0 to 1, both
/// parts of complex ones from -9 to 9, all others as above.
[[nodiscard]] at::Tensor makeUniformTensor(const TensorLiteral& literal, at::Device device,
                                           std::uint64_t seed);

/// How many elements there are from the first to the last element of a strided tensor.
[[nodiscard]] std::int64_t extent(at::IntArrayRef sizes, at::IntArrayRef strides);

}  // namespace wb
