// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace wb {

/// What a cell or a bar says beyond its text; views choose colours for it.
enum class Tone { neutral, good, bad, warning, muted };
[[nodiscard]] std::string_view name(Tone tone);

struct Cell {
  std::string text;                                        ///< formatted by core/base/quantity.h
  double sort = std::numeric_limits<double>::quiet_NaN();  ///< what it sorts by when its column is numeric;
                                                           ///< NaN sorts last
  Tone tone = Tone::neutral;
  std::string detail;                                     ///< tooltip; may be empty
  double bar = std::numeric_limits<double>::quiet_NaN();  ///< 0 to 1: a bar of that share of the cell's width
                                                          ///< behind its text; NaN none
  bool operator==(const Cell& other) const;               ///< two NaN are equal
};

struct Column {
  std::string key;       ///< stable id: "speedup"
  std::string title;     ///< "Speedup"
  bool numeric = false;  ///< right-aligned, sorts by Cell::sort
  std::string meaning;   ///< one sentence for a tooltip
  int rank = 0;          ///< where space is short, columns of the highest rank go first; 0 stays
  bool operator==(const Column&) const = default;
};

/// Rows of text. Plain value.
struct Table {
  std::string id;  ///< "cases"
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string>
      rowIds;  ///< stable identity of each row ("0/17": kernel/case), for selections; same size as rows
  std::vector<Place>
      places;         ///< where in a text each row points, for jumping there; empty when the table has
                      ///< none, else the same size as rows (a row without a place has an empty one)
  std::string empty;  ///< what to say when there are no rows
  bool operator==(const Table&) const = default;
};

struct Bar {
  std::string label;
  double value = 0;
  double low = 0, high = 0;  ///< interval
  std::string text;          ///< formatted value
  Tone tone = Tone::neutral;
  std::string rowId;  ///< Table::rowIds it belongs to
  bool operator==(const Bar&) const = default;
};

/// Horizontal bars with intervals, growing from `base`, on a logarithmic axis or, with `linear`, a plain one.
struct BarChart {
  std::string id, title, axis;
  double base = 1;
  std::vector<Bar> bars;
  std::string empty;
  bool linear = false;
  bool operator==(const BarChart&) const = default;
};

/// A headline number.
struct Card {
  std::string id, title, value, detail;
  Tone tone = Tone::neutral;
  bool operator==(const Card&) const = default;
};
struct Cards {
  std::string id;
  std::vector<Card> cards;
  bool operator==(const Cards&) const = default;
};

/// A point of a plane, with what to say of it.
struct ChartPoint {
  double x = 0, y = 0;
  std::string label, detail;
  Tone tone = Tone::neutral;
  bool operator==(const ChartPoint&) const = default;
};
struct ChartLine {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool dashed = false;
  bool operator==(const ChartLine&) const = default;
};
/// Points and lines on two logarithmic axes: the roofline.
struct PlaneChart {
  std::string id, title, xAxis, yAxis;
  std::vector<ChartLine> lines;
  std::vector<ChartPoint> points;
  std::string empty;
  bool operator==(const PlaneChart&) const = default;
};

/// Something that takes time. Seconds.
struct Span {
  std::string label;
  double start = 0, length = 0;
  std::string detail;
  Tone tone = Tone::neutral;
  bool operator==(const Span&) const = default;
};
/// What happens in one place, one after the other: a stream, the host.
struct Lane {
  std::string label;
  std::vector<Span> spans;
  bool operator==(const Lane&) const = default;
};
/// Lanes along one time axis, which begins at 0.
struct TimeChart {
  std::string id, title;
  std::vector<Lane> lanes;
  std::string empty;
  bool operator==(const TimeChart&) const = default;
};

using Figure = std::variant<Cards, Table, BarChart, PlaneChart, TimeChart>;

}  // namespace wb
