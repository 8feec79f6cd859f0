// SPDX-License-Identifier: Apache-2.0
#include "core/figures/compare/earlier.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/base/diff.h"
#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"

namespace wb {
namespace {

/// Changes below these are noise in what is shown.
constexpr double relativeMatters = 0.05;

/// The case in a row's id "0/17/rest", and what stands behind it.
struct RowOfCase {
  OneCase at;
  std::string_view rest;
};
RowOfCase readRowId(std::string_view id) {
  CaseKey key;
  const char *from = id.data(), *end = id.data() + id.size();
  const auto first = std::from_chars(from, end, key.kernel);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return {{}, id};
  const auto second = std::from_chars(first.ptr + 1, end, key.index);
  if (second.ec != std::errc() || (second.ptr != end && *second.ptr != '/')) return {{}, id};
  return {key, id.substr(static_cast<std::size_t>(second.ptr - from))};
}

/// Where each line of a text stood in an earlier one, from 1; lines that are new are not there.
std::map<int, int> linesBefore(const std::string& before, const std::string& now) {
  const auto then = wholeLines(before), lines = wholeLines(now);
  std::map<int, int> found;
  std::size_t here = 0, there = 0;
  const auto same = [&](std::size_t until) {
    for (; here < until; ++here, ++there) found[static_cast<int>(here) + 1] = static_cast<int>(there) + 1;
  };
  for (const DiffHunk& hunk : diffLines(then, lines)) {
    same(hunk.after);
    here += hunk.added, there += hunk.removed;
  }
  same(lines.size());
  return found;
}

/// Names rows so that those that belong together have the same name in two runs.
class RowNames {
 public:
  explicit RowNames(const Report& report) : report_(report) {
    std::unordered_map<std::string, int> seen;
    for (const auto& kernel : report.kernels) {
      auto& names = cases_.emplace_back();
      forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
        names.push_back(caseIdentity(row.definition, seen));
      });
    }
  }
  /// With lines as they are numbered in the earlier text, of the kernel whose source it is.
  void countLinesAsIn(const Report& earlier) {
    for (std::size_t k = 0; k < std::min(report_.kernels.size(), earlier.kernels.size()); ++k)
      lines_.push_back(linesBefore(earlier.kernels[k]->source.text, report_.kernels[k]->source.text));
  }
  /// Nothing for a row that has no counterpart.
  [[nodiscard]] std::optional<std::string> of(const Table::Row& row) const {
    const auto [at, rest] = readRowId(row.id);
    if (!at || at->kernel >= cases_.size() || at->index >= cases_[at->kernel].size()) return row.id;
    const std::string& name = cases_[at->kernel][at->index];
    const bool isOwnLine = row.place.line > 0 && row.place.file == report_.kernels[at->kernel]->source.path;
    if (!isOwnLine) return fmt::format("{}\n{}", name, rest);
    int line = row.place.line;
    if (at->kernel < lines_.size()) {
      const auto before = lines_[at->kernel].find(line);
      if (before == lines_[at->kernel].end()) return std::nullopt;
      line = before->second;
    }
    return fmt::format("{}\nline {}", name, line);
  }

 private:
  const Report& report_;
  std::vector<std::vector<std::string>> cases_;
  std::vector<std::map<int, int>> lines_;
};

/// "−34 % from 22.5 µs"; percentages differ by points.
Cell sinceCell(const Cell& now, const Cell& then, const Column& column) {
  Cell cell;
  if (then.text.empty()) return cell;
  cell.tone = Tone::muted;
  cell.text = "was " + then.text;
  if (now.text.empty() || !std::isfinite(now.sort) || !std::isfinite(then.sort)) return cell;
  const bool points = !std::isnan(now.bar) || !std::isnan(then.bar) || column.kind == ColumnKind::share;
  if (points) {
    const double before = std::isnan(then.bar) ? 0 : then.bar, after = std::isnan(now.bar) ? 0 : now.bar;
    cell.sort = 100 * (after - before);
    cell.text = fmt::format("{}{:.1f} pt from {}", cell.sort < 0 ? "−" : "+", std::abs(cell.sort), then.text);
    if (std::abs(cell.sort) < 0.05) cell.text = "as before, " + then.text;
    return cell;
  }
  if (then.sort == 0) {
    cell.text = now.sort == 0 ? "as before, " + then.text : "from " + then.text;
    return cell;
  }
  cell.sort = (now.sort - then.sort) / std::abs(then.sort);
  cell.text = fmt::format("{} from {}", formatChange(cell.sort), then.text);
  if (std::abs(cell.sort) < relativeMatters) return cell;
  const bool isCost = column.unit == "s" && column.better == Better::lower;
  cell.tone = !isCost ? Tone::neutral : cell.sort < 0 ? Tone::good : Tone::bad;
  return cell;
}

/// "14:02" of "relu.cpp, 14:02": whose run it is everybody knows who pinned it, and columns are narrow.
std::string_view shortName(std::string_view name) {
  const std::size_t comma = name.rfind(", ");
  return comma == std::string_view::npos ? name : name.substr(comma + 2);
}

/// What the columns of these runs are called: no two alike, so that of runs with the same short name each has
/// its whole one, and a number where that is the same, too.
std::vector<std::string> columnNames(std::span<const Earlier> earlier) {
  std::vector<std::string> names;
  for (const Earlier& one : earlier) {
    const auto hasSameShortName = [&](const Earlier& other) {
      return shortName(other.name) == shortName(one.name);
    };
    const bool isAlone = std::ranges::count_if(earlier, hasSameShortName) == 1;
    const std::string name(isAlone ? shortName(one.name) : std::string_view(one.name));
    std::string distinct = name;
    for (int number = 2; std::ranges::find(names, distinct) != names.end(); ++number)
      distinct = fmt::format("{} ({})", name, number);
    names.push_back(std::move(distinct));
  }
  return names;
}

void addColumn(Table& table, std::size_t column, std::size_t place, const Earlier& earlier,
               const std::string& title, const std::vector<const Cell*>& then) {
  Column added = table.columns[column];
  added.key += "-" + title;
  added.title = fmt::format("Since {}", title);
  added.rank = std::max(added.rank, 3);
  added.meaning = fmt::format("How {} has changed since {}", table.columns[column].title, earlier.name);
  added.kind = ColumnKind::number;
  added.hasEarlier = false;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<Cell>& cells = table.rows[i].cells;
    Cell cell = then[i] ? sinceCell(cells[column], *then[i], table.columns[column]) : Cell{};
    cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(place), std::move(cell));
  }
  table.columns.insert(table.columns.begin() + static_cast<std::ptrdiff_t>(place), std::move(added));
}

void addEarlier(Table& table, const FigureInfo& info, const Report& report, OneCase only,
                std::span<const Earlier> earlier) {
  const auto compared = std::ranges::find_if(table.columns, &Column::hasEarlier);
  if (compared == table.columns.end() || table.rows.empty()) return;
  const auto column = static_cast<std::size_t>(compared - table.columns.begin());
  const std::vector<std::string> names = columnNames(earlier);
  std::size_t place = column + 1;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const Earlier& one = earlier[i];
    const OneCase then = only ? sameCase(report, *only, *one.report) : OneCase();
    if (only && !then) continue;
    const Figure figure = info.make(*one.report, then);
    const auto& before = std::get<Table>(figure);
    // Tables of several kernels or cases have more columns.
    const auto same = std::ranges::find_if(before.columns, &Column::hasEarlier);
    if (same == before.columns.end()) continue;
    const auto offset = static_cast<std::size_t>(same - before.columns.begin());
    std::unordered_map<std::string, const Cell*> known;
    const RowNames there(*one.report);
    for (const Table::Row& row : before.rows)
      if (auto name = there.of(row)) known.emplace(*std::move(name), &row.cells[offset]);
    RowNames here(report);
    here.countLinesAsIn(*one.report);
    std::vector<const Cell*> cells(table.rows.size(), nullptr);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (const auto name = here.of(table.rows[row]))
        if (const auto at = known.find(*name); at != known.end()) cells[row] = at->second;
    if (std::ranges::all_of(cells, [](const Cell* cell) { return cell == nullptr || cell->text.empty(); }))
      continue;
    addColumn(table, column, place++, one, names[i], cells);
  }
}

}  // namespace

std::string caseIdentity(const Case& definition, std::unordered_map<std::string, int>& seen) {
  std::string key =
      fmt::format("{}\n{}\n{}\n{}", definition.op, definition.args, definition.values, definition.group);
  const int nth = seen[key]++;
  return key.append("\n").append(std::to_string(nth));
}

OneCase sameCase(const Report& report, CaseKey key, const Report& other) {
  std::unordered_map<std::string, int> seen;
  std::string wanted;
  for (std::size_t k = 0; k < report.kernels.size() && wanted.empty(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      std::string name = caseIdentity(row.definition, seen);
      if (CaseKey{k, index} == key) wanted = std::move(name);
    });
  seen.clear();
  OneCase found;
  for (std::size_t k = 0; k < other.kernels.size() && !found && !wanted.empty(); ++k)
    forEachCase(*other.kernels[k], [&](std::size_t index, const CaseRow& row) {
      if (!found && caseIdentity(row.definition, seen) == wanted) found = CaseKey{k, index};
    });
  return found;
}

Figure figureBeside(const FigureInfo& info, const Report& report, OneCase only,
                    std::span<const Earlier> earlier) {
  std::vector<Earlier> others;
  for (const Earlier& one : earlier)
    if (one.report && one.report.get() != &report) others.push_back(one);
  if (others.empty()) return info.make(report, only);
  if (info.makerBeside != nullptr) return info.makerBeside(report, only, others);
  Figure figure = info.make(report, only);
  if (auto* table = std::get_if<Table>(&figure)) addEarlier(*table, info, report, only, others);
  return figure;
}

}  // namespace wb
