// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figure.h"

#include <cmath>

namespace wb {

std::string tooltipOf(const Column& column) {
  std::string more = column.unit;
  if (column.better != Better::neither)
    more += (more.empty() ? "" : ", ") + std::string(name(column.better)) + " is better";
  return more.empty() ? column.meaning : column.meaning + " (" + more + ")";
}

bool Cell::operator==(const Cell& other) const {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return same(sort, other.sort) && same(bar, other.bar) && same(low, other.low) && same(high, other.high) &&
         tone == other.tone && text == other.text && detail == other.detail;
}

}  // namespace wb
