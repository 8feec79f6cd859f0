// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

namespace wb {

namespace {

constexpr std::string_view thinSpace = "\u2009";

std::optional<std::string> nonFinite(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return std::nullopt;
}

/// "1234567" → "1 234 567" with thin spaces; a sign stays in front. Four digits are grouped too, so that
/// columns of numbers line up.
std::string grouped(std::string digits) {
  const std::size_t sign = !digits.empty() && digits.front() == '-' ? 1 : 0;
  for (std::size_t end = digits.size(); end > sign + 3; end -= 3) digits.insert(end - 3, thinSpace);
  return digits;
}

/// `value` rounded to three significant digits, or to an integer where it has more than three digits.
double rounded(double value) {
  const double size = std::abs(value);
  if (size == 0) return 0;
  if (size >= 1000) return std::round(value);
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(size)));
  return std::isfinite(scale) ? std::round(value * scale) / scale : value;
}

/// Three significant digits in plain notation, more only for an integer part that needs them.
std::string threeDigits(double value) {
  const double shown = rounded(value), size = std::abs(shown);
  if (size == 0) return "0";
  if (size >= 100) return grouped(fmt::format("{:.0f}", shown));
  if (size >= 10) return fmt::format("{:.1f}", shown);
  if (size >= 1) return fmt::format("{:.2f}", shown);
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
  return decimals > 9 ? fmt::format("{:.2e}", shown) : fmt::format("{:.{}f}", shown, decimals);
}

struct Unit {
  double size;
  std::string_view name;
};

/// The largest unit in which `value`, as it will be shown, is at least 1; else the smallest.
std::string withUnit(double value, std::span<const Unit> descending) {
  for (const Unit& unit : descending)
    if (std::abs(rounded(value / unit.size)) >= 1)
      return fmt::format("{} {}", threeDigits(value / unit.size), unit.name);
  const Unit& smallest = descending.back();
  return fmt::format("{} {}", threeDigits(value / smallest.size), smallest.name);
}

}  // namespace

std::string formatSeconds(double seconds) {
  static constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  if (const auto text = nonFinite(seconds)) return *text;
  if (seconds == 0) return "0 s";
  // No clock resolves parts of a nanosecond: one decimal there is already generous.
  if (std::abs(rounded(seconds / 1e-9)) < 1) return fmt::format("{:.1f} ns", seconds / 1e-9);
  return withUnit(seconds, units);
}

std::string formatRatio(double ratio) {
  if (const auto text = nonFinite(ratio)) return *text;
  return threeDigits(ratio) + "×";
}

std::string formatError(double value) {
  if (const auto text = nonFinite(value)) return *text;
  return value == 0 ? "0" : fmt::format("{:.1e}", value);
}

std::string formatCount(std::int64_t count) {
  return grouped(fmt::format("{}", count));
}

std::string formatBytes(double bytes) {
  static constexpr std::array<Unit, 4> units{
      {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}}};
  if (const auto text = nonFinite(bytes)) return *text;
  if (std::abs(std::round(bytes)) < 1024) return grouped(fmt::format("{:.0f}", bytes)) + " B";
  return withUnit(bytes, units);
}

std::string formatPercent(double fraction) {
  if (const auto text = nonFinite(fraction)) return *text;
  return threeDigits(fraction * 100) + " %";
}

std::string formatNumber(double value) {
  if (const auto text = nonFinite(value)) return *text;
  return threeDigits(value);
}

std::string formatScaled(double value, std::string_view unit) {
  static constexpr std::array<Unit, 6> prefixes{
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  if (const auto text = nonFinite(value)) return *text;
  std::string text = std::abs(rounded(value)) < 1 ? threeDigits(value) + " " : withUnit(value, prefixes);
  text += unit;
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string formatChange(double fraction) {
  if (const auto text = nonFinite(fraction)) return *text;
  const double size = std::abs(fraction);
  if (size < 5e-4) return "0 %";
  if (fraction >= 9) return "×" + threeDigits(fraction + 1);
  const std::string digits = size < 0.9995 ? fmt::format("{:.1f}", 100 * size) : threeDigits(100 * size);
  return fmt::format("{}{} %", fraction > 0 ? "+" : "−", digits);
}

}  // namespace wb
