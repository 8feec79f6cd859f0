// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

// Numbers and strings as Python's own writers spell them, for files that Python tools compare byte by byte.

/// repr(): shortest digits that read back, always with a point or an exponent; "nan", "inf", "-inf".
[[nodiscard]] std::string pythonFloat(double value);
/// json.dumps() of a float: as repr(), but NaN, Infinity and -Infinity.
[[nodiscard]] std::string pythonJsonFloat(double value);
/// json.dumps() of a string: quoted, all that is not ASCII escaped.
[[nodiscard]] std::string pythonJsonString(std::string_view text);

}  // namespace wb
