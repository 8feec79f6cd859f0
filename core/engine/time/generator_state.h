// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace wb {

/// The state of a device's default generator ("cpu", "cuda:0"), and puts it back.
[[nodiscard]] at::Tensor generatorState(const std::string& device);
void setGeneratorState(const std::string& device, const at::Tensor& state);

}  // namespace wb
