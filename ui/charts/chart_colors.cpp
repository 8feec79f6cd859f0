// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_colors.h"

#include <array>

namespace wb {

QColor seriesColor(const Theme& theme, int series) {
  static const std::array<QColor, 8> dark = {QColor("#4c97ff"), QColor("#e8a13a"), QColor("#2fbfae"),
                                             QColor("#b98bff"), QColor("#f472b6"), QColor("#9ccc4a"),
                                             QColor("#46c4dd"), QColor("#d08a52")};
  static const std::array<QColor, 8> light = {QColor("#2f7bf6"), QColor("#d97706"), QColor("#0d9488"),
                                              QColor("#a855f7"), QColor("#db2777"), QColor("#65a30d"),
                                              QColor("#0891b2"), QColor("#b45309")};
  return (theme.dark ? dark : light)[static_cast<std::size_t>(series < 0 ? 0 : series) % dark.size()];
}

QColor barColor(const Theme& theme, Tone tone) {
  switch (tone) {
    case Tone::bad:
      return theme.barBad;
    case Tone::good:
      return theme.barGood;
    case Tone::muted:
    case Tone::warning:
    case Tone::neutral:
      break;
  }
  return theme.barNeutral;
}

QColor keyColor(const Theme& theme, const StackChart& chart, std::size_t key) {
  switch (chart.keys[key].tone) {
    case Tone::good:
      return theme.good;
    case Tone::muted:
      return theme.dark ? theme.strongBorder : theme.barNeutral;
    case Tone::bad:
      return theme.bad;
    case Tone::warning:
      return theme.warning;
    case Tone::neutral:
      break;
  }
  int number = 0;
  for (std::size_t k = 0; k < key; ++k) number += chart.keys[k].tone == Tone::neutral ? 1 : 0;
  return seriesColor(theme, number);
}

}  // namespace wb
