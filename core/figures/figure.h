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
#include "core/model/metrics/metric_catalogue.h"

namespace wb {

/// What a cell or a bar says beyond its text; views choose colours for it.
enum class Tone { neutral, good, bad, warning, muted };
[[nodiscard]] std::string_view name(Tone tone);

struct Cell {
  /// formatted by core/base/quantity.h
  std::string text;
  /// what it sorts by where it is a number, or a word with a number behind it; NaN sorts last
  double sort = std::numeric_limits<double>::quiet_NaN();
  Tone tone = Tone::neutral;
  /// a tooltip; may be empty
  std::string detail;
  /// 0 to 1: a bar of that share of the cell's width behind its text; NaN none
  double bar = std::numeric_limits<double>::quiet_NaN();
  /// two NaN are equal
  bool operator==(const Cell& other) const;
};

/// What the cells of a column are. Whoever shows a table decides by this, never by a column's key.
enum class ColumnKind {
  /// words
  text,
  /// what names the row, by itself or together with the other columns of this kind
  name,
  /// the same for rows that belong together, said once for all of them
  group,
  /// right-aligned, sorted by Cell::sort
  number,
  /// a number, 0 to 1, that is drawn as a bar behind its text
  share,
  /// one word whose tone matters most
  verdict,
  /// as it stands in a source, in letters of one width
  code,
  /// a sentence, which is read and not looked up
  prose,
  /// says where the row's place is, and leads there
  place,
  /// what to know about the row
  note,
};
[[nodiscard]] std::string_view name(ColumnKind kind);
[[nodiscard]] constexpr bool isNumber(ColumnKind kind) {
  return kind == ColumnKind::number || kind == ColumnKind::share;
}

struct Column {
  /// a stable id, "speedup"; only core/figures knows it
  std::string key = {};
  /// "Speedup"
  std::string title = {};
  /// one sentence for a tooltip
  std::string meaning = {};
  ColumnKind kind = ColumnKind::text;
  /// of Cell::sort: "s", "B", "×"; empty for counts, plain numbers and mixed ones
  std::string unit = {};
  /// which numbers of this column are the good ones
  Better better = Better::neither;
  /// where space is short, columns of the highest rank go first; 0 stays
  int rank = 0;
  /// where a view scrolls sideways: 1, 2, … stand in this order behind the columns that name the row
  int lead = 0;
  bool operator==(const Column&) const = default;
};

/// Rows of text. Plain value.
struct Table {
  struct Row {
    /// stable identity, "0/17": kernel and case; for selections
    std::string id = {};
    /// as many as there are columns
    std::vector<Cell> cells = {};
    /// where in a text the row points; line 0: nowhere
    Place place = {};
    /// 1: a part of the row of depth 0 above it
    int depth = 0;
    bool operator==(const Row&) const = default;
  };

  /// "cases"
  std::string id;
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
  /// what to say when there are no rows
  std::string empty;
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
