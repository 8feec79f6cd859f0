// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
[[nodiscard]] std::string formatNumber(double value);       ///< "0.82", "12 345": three significant digits
/// "3.12 TB/s", "1.98 GHz", "66.9 TFLOP/s", "12.3 M": decimal prefixes, from a thousand on; `unit` may be
/// empty.
[[nodiscard]] std::string formatScaled(double value, std::string_view unit);
/// By how much something differs, with its sign: 0.123 → "+12.3 %", "−4.1 %", "0 %"; from ten times on
/// "×12.3".
[[nodiscard]] std::string formatChange(double fraction);

}  // namespace wb
