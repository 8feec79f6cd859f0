// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/enum.h"
#include "core/base/error.h"
#include "core/figures/cases/cell_map.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/profile.h"

namespace wb {

/// What a cell or a bar says beyond its text; views choose colours for it.
WB_ENUM(Tone, neutral, good, bad, warning, muted);

struct Cell {
  /// The text, formatted by core/base/quantity.h.
  std::string text;
  /// The number by which it sorts, also where it is a word with a number behind it; NaN sorts last.
  double sort = std::numeric_limits<double>::quiet_NaN();
  Tone tone = Tone::neutral;
  /// A tooltip; may be empty.
  std::string detail;
  /// The length of a bar behind its text as a share of the cell's width, 0 to 1; NaN is no bar.
  double bar = std::numeric_limits<double>::quiet_NaN();
  /// The interval of a ratio, whose ends stand beside its bar; NaN is no bar.
  float low = std::numeric_limits<float>::quiet_NaN(), high = std::numeric_limits<float>::quiet_NaN();
  /// Two NaN are equal here.
  bool operator==(const Cell& other) const;
};

/// What the cells of a column are. Whoever shows a table decides by this, never by a column's key.
WB_ENUM(ColumnKind,
        /// Words.
        text,
        /// The name of the row, alone or together with the other columns of this kind.
        name,
        /// A name that rows share which belong together; it is said once for all of them.
        group,
        /// A number: right-aligned, sorted by Cell::sort.
        number,
        /// A number from 0 to 1 that is drawn as a bar behind its text.
        share,
        /// A number times another one, with a bar beside it that grows from 1 to either side.
        ratio,
        /// One word whose tone matters most.
        verdict,
        /// Text as it stands in a source, in letters of one width.
        code,
        /// A sentence, which is read and not looked up.
        prose,
        /// The row's place, which leads there.
        place,
        /// A note about the row.
        note);
[[nodiscard]] constexpr bool isNumber(ColumnKind kind) {
  return kind == ColumnKind::number || kind == ColumnKind::share || kind == ColumnKind::ratio;
}

struct Column {
  /// A stable id, "speedup"; only core/figures knows it.
  std::string key = {};
  /// The title: "Speedup".
  std::string title = {};
  /// One sentence for a tooltip.
  std::string meaning = {};
  ColumnKind kind = ColumnKind::text;
  /// The unit of Cell::sort: "s", "B", "×"; empty for counts, plain numbers and mixed ones.
  std::string unit = {};
  /// Which numbers of this column are the good ones.
  Better better = Better::neither;
  /// Where earlier runs are held against this one, theirs stand behind it, each run's in a column of its own
  /// (core/figures/compare/earlier.h).
  bool hasEarlier = false;
  /// Where space is short, columns of the highest rank are left out first; those of rank 0 stay.
  int rank = 0;
  /// Where a view scrolls sideways, columns with 1, 2, … stand in this order after the columns that name the
  /// row.
  int lead = 0;
  bool operator==(const Column&) const = default;
};
/// What is said of a column where the pointer rests on its title: what it means, the unit of its numbers and
/// which of them are the good ones. "Time the compiler took (s, lower is better)".
[[nodiscard]] std::string tooltipOf(const Column& column);

/// Rows of a table that a reader may want to see alone: "Failing".
struct RowSet {
  std::string title = {};
  /// One sentence for a tooltip.
  std::string meaning = {};
  /// Its rows stand before all others while nobody sorts.
  bool leads = false;
  bool operator==(const RowSet&) const = default;
};

/// Rows of text, as a plain value.
struct Table {
  struct Row {
    /// A stable id, "0/17" for kernel and case, by which rows are selected.
    std::string id = {};
    /// As many cells as there are columns.
    std::vector<Cell> cells = {};
    /// The place in a text to which the row points; line 0 is nowhere.
    Place place = {};
    /// 1: a part of the row of depth 0 above it
    int depth = 0;
    /// Bit i is set where the row belongs to the table's i-th set.
    std::uint32_t sets = 0;
    bool operator==(const Row&) const = default;
  };

  /// The id: "cases".
  std::string id;
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
  /// The sentence that is shown when there are no rows.
  std::string empty;
  /// The sets of rows that a reader may choose from; at most 32.
  std::vector<RowSet> sets = {};
  /// Bars of ratios reach from 1/span to span, on a logarithmic scale.
  double span = 2;
  bool operator==(const Table&) const = default;
};

struct Bar {
  std::string label;
  double value = 0;
  /// The interval.
  double low = 0, high = 0;
  /// The formatted value.
  std::string text;
  Tone tone = Tone::neutral;
  /// The id of the row to which it belongs.
  std::string rowId;
  bool operator==(const Bar&) const = default;
};

/// Horizontal bars with intervals that grow from `base`, on a logarithmic axis or, with `linear`, a plain
/// one. core/figures/charts/scale.h says which part of the axis is shown.
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
  /// It is looked up and not looked for; where cards are drawn it is a line below the others.
  bool isAside = false;
  bool operator==(const Card&) const = default;
};
struct Cards {
  std::string id;
  std::vector<Card> cards;
  bool operator==(const Cards&) const = default;
};

/// What an axis measures.
struct ChartAxis {
  std::string title;
  /// "×", "s", "B", "%" (of shares from 0 to 1), "FLOP/s"; "" for plain numbers.
  std::string unit = {};
  bool logarithmic = true;
  bool operator==(const ChartAxis&) const = default;
};

/// A point of a plane, with what is said about it.
struct ChartPoint {
  double x = 0, y = 0;
  /// The name beside the point; a point of a crowd has none.
  std::string label, detail;
  Tone tone = Tone::neutral;
  /// The interval of `y`; equal where there is none.
  double low = 0, high = 0;
  /// The series whose colour it has, from 0; −1 takes the colour from the tone.
  int series = -1;
  /// The id of the row to which it belongs.
  std::string rowId = {};
  bool operator==(const ChartPoint&) const = default;
};
struct ChartLine {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool dashed = false;
  /// As ChartPoint::series; −1 is a line of the ground, such as a roof.
  int series = -1;
  bool operator==(const ChartLine&) const = default;
};
/// The way of a point from one version to the next; the two are indices of points.
struct ChartArrow {
  std::size_t from = 0, to = 0;
  bool operator==(const ChartArrow&) const = default;
};
/// Points and lines between two axes: the roofline, speedup against size, samples.
struct PlaneChart {
  std::string id, title;
  ChartAxis x, y;
  std::vector<ChartLine> lines;
  std::vector<ChartPoint> points;
  std::vector<ChartArrow> arrows = {};
  std::string empty;
  bool operator==(const PlaneChart&) const = default;
};

/// What a part of a stack stands for.
struct StackKey {
  std::string label, meaning;
  /// good: useful work; muted: everything else together; neutral: the key has a colour of its own.
  Tone tone = Tone::neutral;
  bool operator==(const StackKey&) const = default;
};
/// One stack: a share for each key. They add up to the row's length, which is 1 at most.
struct StackRow {
  std::string label, detail;
  std::vector<double> shares;
  std::string rowId = {};
  /// The place in a text to which the row points; line 0 is nowhere.
  Place place = {};
  bool operator==(const StackRow&) const = default;
};
/// Horizontal bars of several parts each, on one axis of shares: stall reasons, the mix of instructions.
struct StackChart {
  std::string id, title, axis;
  std::vector<StackKey> keys;
  std::vector<StackRow> rows;
  std::string empty;
  bool operator==(const StackChart&) const = default;
};

/// A place through which something flows. It lies in a grid of columns and rows.
struct FlowNode {
  std::string title;
  /// What is known of it: "hit rate 84.6 %"; or that it was not collected.
  std::string text = {}, detail = {};
  double column = 0, row = 0, rows = 1;
  /// How much of what it can do it does, 0 to 1; NaN is unknown.
  double share = std::numeric_limits<double>::quiet_NaN();
  bool operator==(const FlowNode& other) const;
};
/// What flows between two nodes, which are indices; there and back are two links.
struct FlowLink {
  std::size_t from = 0, to = 0;
  /// "12.5 MiB read"; "" where it was not collected.
  std::string text = {}, detail = {};
  /// How much of what is possible flows, 0 to 1; NaN is unknown.
  double share = std::numeric_limits<double>::quiet_NaN();
  bool operator==(const FlowLink& other) const;
};
/// Boxes and what flows between them: the memories of a device.
struct FlowChart {
  std::string id, title;
  std::vector<FlowNode> nodes;
  std::vector<FlowLink> links;
  /// What is missing, and how to get it; may be empty.
  std::string note;
  std::string empty;
  bool operator==(const FlowChart&) const = default;
};

/// Something that takes time, in seconds.
struct Span {
  std::string label;
  double start = 0, length = 0;
  std::string detail;
  Tone tone = Tone::neutral;
  bool operator==(const Span&) const = default;
};
/// What happens in one place, one after the other: in a stream, or on the host.
struct Lane {
  std::string label;
  std::vector<Span> spans;
  /// Whose call it belongs to; lanes of different owners began at different times.
  std::optional<Side> owner = {};
  bool operator==(const Lane&) const = default;
};
/// Lanes along one time axis, which begins at 0.
struct TimeChart {
  std::string id, title;
  std::vector<Lane> lanes;
  std::string empty;
  bool operator==(const TimeChart&) const = default;
};

using Figure = std::variant<Cards, Table, BarChart, PlaneChart, TimeChart, CellMaps, StackChart, FlowChart>;

/// The same as a table, for where it cannot be drawn.
[[nodiscard]] Table tableOf(const StackChart& chart);
[[nodiscard]] Table tableOf(const FlowChart& chart);

}  // namespace wb
