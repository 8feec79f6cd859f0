// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/sandbox/sandbox.h"

namespace wb {

/// Walls as JSON on one line, as a launcher gets them for an argument, and back. Errors name what is wrong.
[[nodiscard]] std::string sandboxText(const Sandbox& sandbox);
Result<Sandbox> sandboxFromText(std::string_view text);

}  // namespace wb
