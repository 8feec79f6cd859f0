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
/// The same from all that was printed there: the list stands behind this mark, and what a login printed
/// before it. `where` is what the user calls the place.
Result<std::vector<Device>> devicesFrom(std::string_view printed, const std::string& where);
inline constexpr std::string_view devicesMark = "\nWARPBENCH DEVICES\n";

}  // namespace wb
