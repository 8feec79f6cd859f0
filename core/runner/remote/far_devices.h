// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/runner/runner.h"

namespace wb {

/// Devices as a line of JSON, as they go from one machine to another.
[[nodiscard]] std::string text(const std::vector<Device>& devices);
Result<std::vector<Device>> devicesFrom(std::string_view line);

}  // namespace wb
