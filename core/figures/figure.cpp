// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figure.h"

#include <cmath>

namespace wb {

std::string_view name(Tone tone) {
  switch (tone) {
    case Tone::neutral:
      return "neutral";
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::warning:
      return "warning";
    case Tone::muted:
      return "muted";
  }
  return "neutral";
}

std::string_view name(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
      return "text";
    case ColumnKind::name:
      return "name";
    case ColumnKind::group:
      return "group";
    case ColumnKind::number:
      return "number";
    case ColumnKind::share:
      return "share";
    case ColumnKind::verdict:
      return "verdict";
    case ColumnKind::code:
      return "code";
    case ColumnKind::prose:
      return "prose";
    case ColumnKind::place:
      return "place";
    case ColumnKind::note:
      return "note";
  }
  return "text";
}

bool Cell::operator==(const Cell& other) const {
  const bool sameSort = sort == other.sort || (std::isnan(sort) && std::isnan(other.sort));
  const bool sameBar = bar == other.bar || (std::isnan(bar) && std::isnan(other.bar));
  return sameSort && sameBar && tone == other.tone && text == other.text && detail == other.detail;
}

}  // namespace wb
