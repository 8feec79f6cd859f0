// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace wb {

/// The state of a device's default generator ("cpu", "cuda:0"), and puts it back.
[[nodiscard]] at::Tensor generatorState(const std::string& device);
void setGeneratorState(const std::string& device, const at::Tensor& state);
/// Puts the processor's default generator on as after a call that drew from it in another process: nobody
/// here knows how much that was, so that it begins anew with a seed that it draws.
void passOverCall();

}  // namespace wb
