// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace wb {

/// "[3, 17]": place of a row-major element number in a shape.
[[nodiscard]] std::string indexText(std::int64_t element, at::IntArrayRef shape);

/// One element in as many digits as tell its dtype's values apart.
[[nodiscard]] std::string valueText(const at::Tensor& tensor, std::int64_t element);

/// "5×5", "scalar" for no dimension.
[[nodiscard]] std::string shapeText(at::IntArrayRef shape);

}  // namespace wb
