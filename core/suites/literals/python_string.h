// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// Reads a Python string literal without prefix, one line long, that starts with a quote at `text[at]`, and
/// moves `at` to the place after it. Escapes are read as in Python except for \N{…}; \x, octal, \u and \U
/// give UTF-8. The error's `place.column` is the 1-based byte column in `text`.
Result<std::string> readPythonString(std::string_view text, std::size_t& at);

/// Writes as Python's repr(): in single quotes unless only double ones need no escape. Bytes that are not
/// printable ASCII and not UTF-8 become \xHH.
[[nodiscard]] std::string pythonRepr(std::string_view text);

}  // namespace wb
