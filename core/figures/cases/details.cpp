// SPDX-License-Identifier: Apache-2.0
#include "core/figures/cases/details.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/figures/cases/case_line.h"
#include "core/figures/figures.h"
#include "core/figures/ran.h"

namespace wb {
namespace {

bool readNumber(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

const KernelReport* kernelOf(const Report& report, std::string_view rowId, std::size_t& kernel,
                             std::string_view& rest) {
  const std::size_t slash = rowId.find('/');
  if (slash == std::string_view::npos || !readNumber(rowId.substr(0, slash), kernel)) return nullptr;
  rest = rowId.substr(slash + 1);
  return kernel < report.kernels.size() ? &*report.kernels[kernel] : nullptr;
}

const CaseRow* caseOf(const Report& report, std::string_view rowId, CaseKey& key) {
  std::string_view rest;
  const KernelReport* ran = kernelOf(report, rowId, key.kernel, rest);
  if (!ran || !readNumber(rest, key.index) || key.index >= ran->cases.size()) return nullptr;
  return &ran->cases[key.index];
}

/// Adds a cell in full, with the text of its tooltip; nothing for an empty one.
void addFact(Details& details, const Column& column, const Cell& cell) {
  if (cell.text.empty()) return;
  std::string text = cell.text;
  if (!cell.detail.empty() && cell.detail != cell.text)
    text += (cell.detail.find('\n') == std::string::npos ? " · " : "\n") + cell.detail;
  details.facts.push_back({column.title, std::move(text)});
}

/// Whether a column says what the title, the verdict and the message say already, or a time that the facts of
/// the timing say better.
bool isSaidElsewhere(const Column& column) {
  static constexpr std::array<std::string_view, 6> keys = {"operator",  "shapes", "dtype",
                                                           "kernelHot", "step",   "call"};
  return column.kind == ColumnKind::verdict || column.kind == ColumnKind::note ||
         std::find(keys.begin(), keys.end(), column.key) != keys.end();
}

/// Adds the facts of the timing; "math", "TF32 off" becomes "Math".
void addTiming(Details& details, const CaseTiming& timing) {
  for (Fact& fact : timingFacts(timing)) {
    fact.what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(fact.what[0])));
    details.facts.push_back(std::move(fact));
  }
}

Details detailsOfCase(const Report& report, CaseKey key, const CaseRow& row) {
  Details details;
  details.ofCase = key;
  details.title = caseLabel(row.definition);
  details.verdict = name(row.check.verdict);
  details.tone = toneOf(row.check.verdict);
  details.message = checkDetail(row.check);
  details.trace = row.check.trace;
  const std::string label = report.kernels.size() > 1 ? kernelLabel(report, key.kernel) : std::string();
  const CaseLine line{row, label};
  for (const ColumnOf<CaseLine>& one : caseColumns()) {
    Cell cell = one.cell(line);
    if (one.column.kind == ColumnKind::note && details.message.empty()) details.message = cell.text;
    if (isSaidElsewhere(one.column)) continue;
    // The lines after the first are the facts of the timing.
    if (one.column.key == "speedup") cell.detail.resize(std::min(cell.detail.find('\n'), cell.detail.size()));
    addFact(details, one.column, cell);
  }
  if (std::string ran = ranText(whatRan(report, row)); !ran.empty())
    details.facts.push_back({"What ran", std::move(ran)});
  if (row.timing) addTiming(details, *row.timing);
  details.facts.push_back({"Arguments", row.definition.args});
  details.origin = row.definition.origin;
  details.failing = row.check.verdict != Verdict::notRun && tally(row.check.verdict) == Tally::fail;
  return details;
}

}  // namespace

std::optional<Details> detailsOf(const Report& report, std::string_view rowId) {
  CaseKey key;
  if (const CaseRow* row = caseOf(report, rowId, key)) return detailsOfCase(report, key, *row);
  const Table problems = problemsTable(report);
  const auto row = std::find_if(problems.rows.begin(), problems.rows.end(),
                                [&](const Table::Row& one) { return one.id == rowId; });
  if (row == problems.rows.end()) return std::nullopt;
  Details details;
  details.trace = traceOf(report, rowId);
  const bool isKernels = std::any_of(report.kernels.begin(), report.kernels.end(), [&](const auto& kernel) {
    return kernel->source.path == row->place.file;
  });
  if (!isKernels) details.origin = row->place;
  for (std::size_t c = 0; c < problems.columns.size(); ++c) {
    const Cell& cell = row->cells[c];
    if (problems.columns[c].kind == ColumnKind::verdict) {
      details.verdict = cell.text;
      details.tone = cell.tone;
    } else if (problems.columns[c].kind == ColumnKind::name) {
      details.title = cell.text;
      if (cell.detail != cell.text) details.message = cell.detail;
    } else {
      addFact(details, problems.columns[c], cell);
    }
  }
  return details;
}

std::string traceOf(const Report& report, std::string_view rowId) {
  CaseKey key;
  if (const CaseRow* row = caseOf(report, rowId, key)) return row->check.trace;
  if (rowId == "job/failure") return report.failure ? report.failure->trace : std::string();
  std::string_view rest;
  const KernelReport* kernel = kernelOf(report, rowId, key.kernel, rest);
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
