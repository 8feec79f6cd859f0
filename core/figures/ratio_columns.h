// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/figures/cells.h"
#include "core/figures/columns.h"

namespace wb {

/// A column of ratios: a number times as fast.
[[nodiscard]] inline Column ratioColumn(std::string key, std::string title, std::string meaning) {
  return {.key = std::move(key),
          .title = std::move(title),
          .meaning = std::move(meaning),
          .kind = ColumnKind::number,
          .unit = "×",
          .better = Better::higher};
}

/// One end of the ratios of a row's cases, for lines with an optional `summary`.
template <class Line, double SpeedupSummary::*end>
[[nodiscard]] ColumnOf<Line> endColumn(std::string key, std::string title, std::string meaning) {
  Column column = ratioColumn(std::move(key), std::move(title), std::move(meaning));
  column.rank = 3;
  return {std::move(column), [](const Line& line) {
            return line.summary ? ratioCell((*line.summary).*end, Tone::muted) : Cell{};
          }};
}

}  // namespace wb
