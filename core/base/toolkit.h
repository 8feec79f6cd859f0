// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace wb {

/// Where a program of the CUDA toolkit is: the files in $CUDA_HOME/bin, $CUDA_PATH/bin, PATH and
/// /usr/local/cuda/bin, in this order, that exist and can be run. Only the file system is asked.
[[nodiscard]] std::vector<std::filesystem::path> toolkitPrograms(std::string_view name);

}  // namespace wb
