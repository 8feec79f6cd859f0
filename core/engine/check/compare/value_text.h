// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace wb {

/// The place of a row-major element number in a shape, "[3, 17]".
[[nodiscard]] std::string indexText(std::int64_t element, at::IntArrayRef shape);

/// One element with as many digits as tell its dtype's values apart.
[[nodiscard]] std::string valueText(const at::Tensor& tensor, std::int64_t element);

/// A shape in words: "5×5", or "scalar" without dimensions.
[[nodiscard]] std::string shapeText(at::IntArrayRef shape);

}  // namespace wb
