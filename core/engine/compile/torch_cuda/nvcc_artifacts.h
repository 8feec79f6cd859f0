// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/event.h"

namespace wb {

/// The kernels, with what ptxas said of them in nvcc's output.
[[nodiscard]] std::vector<Artifact> nvccArtifacts(std::string_view output, const std::string& architecture);

}  // namespace wb
