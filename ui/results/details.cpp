// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/details.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/figures/cells.h"
#include "ui/results/run_figures.h"

namespace wb {
namespace {

bool readNumber(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

const KernelReport* kernelOf(const Report& report, std::string_view rowId, std::string_view& rest) {
  const std::size_t slash = rowId.find('/');
  std::size_t kernel = 0;
  if (slash == std::string_view::npos || !readNumber(rowId.substr(0, slash), kernel)) return nullptr;
  rest = rowId.substr(slash + 1);
  return kernel < report.kernels.size() ? &*report.kernels[kernel] : nullptr;
}

const CaseRow* caseOf(const Report& report, std::string_view rowId) {
  std::string_view rest;
  const KernelReport* kernel = kernelOf(report, rowId, rest);
  std::size_t index = 0;
  if (!kernel || !readNumber(rest, index) || index >= kernel->cases.size()) return nullptr;
  return &kernel->cases[index];
}

const std::vector<Cell>* rowOf(const Table& table, std::string_view rowId) {
  const auto found = std::find(table.rowIds.begin(), table.rowIds.end(), rowId);
  return found == table.rowIds.end() ? nullptr : &table.rows[size_t(found - table.rowIds.begin())];
}

void addFacts(Details& details, const Table& table, const std::vector<Cell>& cells,
              std::initializer_list<std::string_view> saidElsewhere) {
  for (std::size_t i = 0; i < std::min(cells.size(), table.columns.size()); ++i) {
    const bool said =
        std::find(saidElsewhere.begin(), saidElsewhere.end(), table.columns[i].key) != saidElsewhere.end();
    if (said || cells[i].text.empty()) continue;
    std::string text = cells[i].text;
    std::string more = cells[i].detail;
    if (table.columns[i].key == "speedup") more = more.substr(0, more.find('\n'));  // the rest: timingFacts
    if (!more.empty() && more != text) text += (more.find('\n') == std::string::npos ? " · " : "\n") + more;
    details.facts.emplace_back(table.columns[i].title, std::move(text));
  }
}

// "math: TF32 off" → "Math", "TF32 off"
void addTiming(Details& details, const CaseTiming& timing) {
  for (const std::string& fact : timingFacts(timing)) {
    const std::size_t colon = fact.find(": ");
    if (colon == std::string::npos || colon == 0) continue;
    std::string what = fact.substr(0, colon);
    what[0] = char(std::toupper(static_cast<unsigned char>(what[0])));
    details.facts.emplace_back(std::move(what), fact.substr(colon + 2));
  }
}

Details detailsOfCase(const RunFigures& figures, const CaseRow& row, std::string_view rowId) {
  Details details;
  details.title = caseLabel(row.definition);
  details.verdict = name(row.check.verdict);
  details.tone = toneOf(row.check.verdict);
  details.message = row.check.message;
  details.trace = row.check.trace;
  if (const std::vector<Cell>* cells = rowOf(*figures.cases, rowId)) {
    const Table& table = *figures.cases;
    const auto verdict = std::find_if(table.columns.begin(), table.columns.end(),
                                      [](const Column& column) { return column.key == "verdict"; });
    if (verdict != table.columns.end()) {
      const std::string& more = (*cells)[size_t(verdict - table.columns.begin())].detail;
      if (more.size() > details.message.size()) details.message = more;  // with the count and the first place
    }
    addFacts(details, table, *cells,
             {"operator", "shapes", "dtype", "verdict", "note", "kernelHot", "step", "call"});
    if (row.timing) addTiming(details, *row.timing);
    const auto note = std::find_if(table.columns.begin(), table.columns.end(),
                                   [](const Column& column) { return column.key == "note"; });
    if (note != table.columns.end() && details.message.empty())
      details.message = (*cells)[size_t(note - table.columns.begin())].text;
  }
  details.facts.emplace_back("Arguments", row.definition.args);
  if (!row.definition.origin.file.empty()) details.facts.emplace_back("From", text(row.definition.origin));
  return details;
}

}  // namespace

std::optional<Details> detailsOf(const RunFigures& figures, std::string_view rowId) {
  if (const CaseRow* row = caseOf(*figures.report, rowId)) return detailsOfCase(figures, *row, rowId);
  const std::vector<Cell>* cells = rowOf(*figures.problems, rowId);
  if (!cells) return std::nullopt;
  Details details;
  details.trace = traceOf(*figures.report, rowId);
  const Table& table = *figures.problems;
  for (std::size_t i = 0; i < std::min(cells->size(), table.columns.size()); ++i) {
    const Cell& cell = (*cells)[i];
    if (table.columns[i].key == "severity") details.verdict = cell.text, details.tone = cell.tone;
    if (table.columns[i].key != "message") continue;
    details.title = cell.text;
    if (cell.detail != cell.text) details.message = cell.detail;
  }
  addFacts(details, table, *cells, {"severity", "message"});
  return details;
}

std::string traceOf(const Report& report, std::string_view rowId) {
  if (const CaseRow* row = caseOf(report, rowId)) return row->check.trace;
  if (rowId == "job/failure") return report.failure ? report.failure->trace : std::string();
  std::string_view rest;
  const KernelReport* kernel = kernelOf(report, rowId, rest);
  return kernel && kernel->failure && rest == "failure" ? kernel->failure->trace : std::string();
}

std::vector<TraceFrame> framesOf(std::string_view trace) {
  constexpr std::string_view open = "File \"", middle = "\", line ";
  std::vector<TraceFrame> frames;
  for (std::size_t at = trace.find(open); at != std::string_view::npos; at = trace.find(open, at + 1)) {
    const std::size_t file = at + open.size();
    const std::size_t fileEnd = trace.find(middle, file);
    if (fileEnd == std::string_view::npos) break;
    if (trace.substr(file, fileEnd - file).find('\n') != std::string_view::npos) continue;
    const std::size_t number = fileEnd + middle.size();
    const std::size_t end = std::min(trace.find_first_not_of("0123456789", number), trace.size());
    std::size_t line = 0;
    if (!readNumber(trace.substr(number, end - number), line)) continue;
    frames.push_back({at, end, Place{std::string(trace.substr(file, fileEnd - file)), int(line), 0}});
  }
  return frames;
}

}  // namespace wb
