// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// Why a case has no time although it is right, which is no fault of anybody's.
inline constexpr std::string_view nothingToTime = "nothing to time, as every output is empty";

}  // namespace wb
