// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

// These write numbers and strings as Python's own writers spell them, for files that Python tools compare
// byte by byte.

/// As json.dumps() of a float: like pythonFloat(), but NaN, Infinity and -Infinity.
[[nodiscard]] std::string pythonJsonFloat(double value);
/// As json.dumps() of a string: quoted, and everything that is not ASCII escaped.
[[nodiscard]] std::string pythonJsonString(std::string_view text);

}  // namespace wb
