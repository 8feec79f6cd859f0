// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// Whether an environment variable is one that programs, compilers, Python, CUDA and the libraries that torch
/// computes with need, by its name. Kernels can read their environment and write it into a report, so that
/// they get these alone, and none whose name speaks of a token, a key or the like.
[[nodiscard]] bool isPlainVariable(std::string_view name);

}  // namespace wb
