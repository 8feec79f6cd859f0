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
  const bool sameSort = sort == other.sort || (std::isnan(sort) && std::isnan(other.sort));
  const bool sameBar = bar == other.bar || (std::isnan(bar) && std::isnan(other.bar));
  return sameSort && sameBar && tone == other.tone && text == other.text && detail == other.detail;
}

}  // namespace wb
