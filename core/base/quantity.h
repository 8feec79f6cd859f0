// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

// These format numbers for people. Every number that a person sees is formatted here and nowhere else, so
// that the window, the terminal and the reports say the same. Non-finite values give "nan", "inf", "-inf".

/// A time with three significant digits: "38.2 µs", "1.84 s", "0.9 ns".
[[nodiscard]] std::string formatSeconds(double seconds);
/// A ratio with three significant digits: "1.94×", "0.713×", "48 486×".
[[nodiscard]] std::string formatRatio(double ratio);
/// An error with two significant digits: "0", "3.1e-03".
[[nodiscard]] std::string formatError(double value);
/// A count in groups of three with thin spaces: "10 036".
[[nodiscard]] std::string formatCount(std::int64_t count);
/// Bytes with a binary prefix: "12.5 MiB".
[[nodiscard]] std::string formatBytes(double bytes);
/// A fraction as a percentage: 0.951 → "95.1 %".
[[nodiscard]] std::string formatPercent(double fraction);
/// A number with three significant digits: "0.82", "12 345".
[[nodiscard]] std::string formatNumber(double value);
/// A value with a decimal prefix from a thousand on: "3.12 TB/s", "1.98 GHz", "66.9 TFLOP/s", "12.3 M";
/// `unit` may be empty.
[[nodiscard]] std::string formatScaled(double value, std::string_view unit);
/// A difference with its sign: 0.123 → "+12.3 %", "−4.1 %", "0 %"; from ten times on "×12.3".
[[nodiscard]] std::string formatChange(double fraction);

}  // namespace wb
