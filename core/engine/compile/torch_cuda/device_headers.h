// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wb {

/// Name and text of all that stands in for headers which NVRTC has not or cannot compile: the prelude, the
/// standard library's, CUDA's for the host, some of torch's.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& deviceHeaders();

/// The header ahead of the device's part.
inline constexpr const char* devicePrelude = "warpbench_device.h";

}  // namespace wb
