// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// A text made smaller for storing (zlib, its fastest level), with its length in front, and back. Errors: it
/// is no packed text, or says to be longer than 4 GiB.
[[nodiscard]] std::string packed(std::string_view text);
Result<std::string> unpacked(std::string_view bytes);

}  // namespace wb
