// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_text.h"

#include <cmath>

namespace wb {

QString axisText(const std::string& quantity) {
  QString text = QString::fromStdString(quantity);
  const qsizetype dot = text.indexOf(QLatin1Char('.'));
  if (dot < 0) return text;
  qsizetype end = dot + 1;
  while (end < text.size() && text[end].isDigit()) ++end;
  qsizetype keep = end;
  while (keep > dot + 1 && text[keep - 1] == QLatin1Char('0')) --keep;
  if (keep == dot + 1) keep = dot;
  return text.remove(keep, end - keep);
}

double roundStep(double range, int most) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double least = range / std::max(1, most), decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (decade * factor >= least * (1 - 1e-9)) return decade * factor;
  return decade * 10;
}

}  // namespace wb
