// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace wb {

/// Numbers for eyes. Every number that a person sees is formatted here and nowhere else, so that the window,
/// the terminal and the reports say the same. Non-finite values give "nan", "inf", "-inf".
[[nodiscard]] std::string formatSeconds(
    double seconds);  ///< "38.2 µs", "1.84 s", "0.9 ns": three significant digits
[[nodiscard]] std::string formatRatio(
    double ratio);  ///< "1.94×", "0.713×", "48 486×": three significant digits
[[nodiscard]] std::string formatError(double value);        ///< "0", "3.1e-03": two significant digits
[[nodiscard]] std::string formatCount(std::int64_t count);  ///< "10 036": thin groups of three
[[nodiscard]] std::string formatBytes(double bytes);        ///< "12.5 MiB": binary prefixes
[[nodiscard]] std::string formatPercent(double fraction);   ///< 0.951 → "95.1 %"

}  // namespace wb
