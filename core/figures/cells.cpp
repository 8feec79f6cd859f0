// SPDX-License-Identifier: Apache-2.0
#include "core/figures/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/model/pace.h"

namespace wb {

Tone toneOf(Verdict verdict) {
  if (verdict == Verdict::refused || verdict == Verdict::quarantined) return Tone::warning;
  switch (tally(verdict)) {
    case Tally::pass:
      return Tone::good;
    case Tally::fail:
      return Tone::bad;
    case Tally::neutral:
      return Tone::muted;
  }
  return Tone::neutral;
}

Tone toneOf(Pace pace) {
  switch (pace) {
    case Pace::faster:
      return Tone::good;
    case Pace::slower:
      return Tone::bad;
    case Pace::same:
    case Pace::undecided:
      return Tone::neutral;
  }
  return Tone::neutral;
}

Tone toneOf(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Tone::bad;
    case Severity::warning:
      return Tone::warning;
    case Severity::note:
      return Tone::muted;
  }
  return Tone::neutral;
}

Tone toneOf(const SpeedupSummary& summary) {
  if (summary.cases == 0) return Tone::muted;
  if (summary.low > 1.01) return Tone::good;
  if (summary.high < 0.99) return Tone::bad;
  return Tone::neutral;
}

Cell textCell(std::string text, Tone tone, std::string detail) {
  Cell cell;
  cell.text = std::move(text);
  cell.tone = tone;
  cell.detail = std::move(detail);
  return cell;
}

namespace {
Cell numberCell(std::string text, double sort, Tone tone) {
  Cell cell;
  cell.text = std::move(text);
  cell.sort = sort;
  cell.tone = tone;
  return cell;
}
}  // namespace

Cell secondsCell(double seconds) {
  return numberCell(formatSeconds(seconds), seconds, Tone::neutral);
}
Cell errorCell(double value, Tone tone) {
  return numberCell(formatError(value), value, tone);
}
Cell countCell(std::int64_t count, Tone tone) {
  return numberCell(formatCount(count), static_cast<double>(count), tone);
}

Cell ratioCell(double ratio, Tone tone, std::string detail) {
  Cell cell = numberCell(formatRatio(ratio), ratio, tone);
  cell.detail = std::move(detail);
  return cell;
}

std::string speedupText(const Speedup& speedup) {
  return hasInterval(speedup) ? formatRatio(speedup.ratio) : std::string(tooNoisy);
}

Cell speedupCell(const Speedup& speedup, std::string detail) {
  if (!hasInterval(speedup)) return textCell(std::string(tooNoisy), Tone::muted, std::move(detail));
  Cell cell = ratioCell(speedup.ratio, toneOf(speedup.pace), std::move(detail));
  cell.low = static_cast<float>(speedup.low);
  cell.high = static_cast<float>(speedup.high);
  return cell;
}

std::string intervalText(double low, double high) {
  if (!hasInterval({1, low, high, Pace::undecided})) return std::string(tooNoisy);
  std::string text = formatRatio(low);
  constexpr std::string_view times = "×";
  if (text.ends_with(times)) text.resize(text.size() - times.size());
  return text + " – " + formatRatio(high);
}

Cell lineCell(const KernelReport& kernel, const Place& place) {
  const bool isOwn = place.file == kernel.source.path;
  const std::string line = std::to_string(place.line);
  Cell cell = isOwn ? textCell(line)
                    : textCell(fmt::format("{}:{}", fileNameOf(place.file), line), Tone::neutral, place.file);
  cell.sort = place.line;
  return cell;
}

std::string operatorLabel(std::string_view op) {
  constexpr std::string_view aten = "aten::";
  if (op.starts_with(aten)) op.remove_prefix(aten.size());
  return std::string(op);
}

namespace {
std::string_view lastPart(std::string_view path, int parts) {
  std::size_t end = path.size();
  while (parts-- > 0) {
    const std::size_t slash = end == 0 ? std::string_view::npos : path.rfind('/', end - 1);
    if (slash == std::string_view::npos) return path;
    end = slash;
  }
  return path.substr(end + 1);
}
}  // namespace

std::string kernelLabel(const Report& report, std::size_t kernel) {
  const KernelSource& source = report.kernels[kernel]->source;
  if (source.language == "aten") return source.op.empty() ? "ATen" : "ATen " + operatorLabel(source.op);
  const std::string_view label = lastPart(source.path, 1);
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    if (k == kernel || lastPart(report.kernels[k]->source.path, 1) != label) continue;
    const std::string_view longer = lastPart(source.path, 2);
    if (longer != lastPart(report.kernels[k]->source.path, 2)) return std::string(longer);
    return fmt::format("{} #{}", longer, kernel + 1);
  }
  return label.empty() ? fmt::format("kernel {}", kernel + 1) : std::string(label);
}

std::string kernelOperator(const KernelReport& kernel) {
  if (kernel.compiled && !kernel.compiled->op.empty()) return kernel.compiled->op;
  return kernel.source.op;
}

std::string caseLabel(const Case& definition) {
  std::string label = operatorLabel(definition.op);
  for (const std::string_view part :
       {std::string_view(definition.shapes), std::string_view(definition.dtype), layoutOf(definition.args)})
    if (!part.empty()) label.append(" ").append(part);
  return label;
}

namespace {
/// The kind of a stride list "2, 1", which stands after "T([…], dtype, [" up to "]".
std::string_view strideKind(std::string_view strides) {
  long before = -1, last = -1;
  while (!strides.empty()) {
    const std::size_t comma = strides.find(',');
    const std::string item(strides.substr(0, comma));
    const long stride = std::strtol(item.c_str(), nullptr, 10);
    if (stride == 0) return "expanded";
    before = last;
    last = stride;
    if (comma == std::string_view::npos) break;
    strides.remove_prefix(comma + 1);
  }
  return before > 0 && before < last ? "transposed" : "strided";
}
}  // namespace

std::string_view layoutOf(std::string_view args) {
  // In T([5, 5], f32, [1, 5]) the third argument is a stride. This is enough of the grammar for a label,
  // since no tensor literal nests.
  for (std::size_t at = args.find("T(["); at != std::string_view::npos; at = args.find("T([", at + 3)) {
    const std::size_t shapeEnd = args.find(']', at);
    const std::size_t end =
        shapeEnd == std::string_view::npos ? shapeEnd : args.find_first_of("[)", shapeEnd);
    if (end == std::string_view::npos) return "";
    if (args[end] != '[') continue;
    return strideKind(args.substr(end + 1, args.find(']', end) - end - 1));
  }
  return "";
}

std::string toleranceText(double rtol, double atol) {
  return "rtol " + formatError(rtol) + " · atol " + formatError(atol);
}

std::string oracleText(const ErrorFigures& errors) {
  if (!errors.oracleAbs || !errors.oracleReferenceAbs) return {};
  return fmt::format("against float64: candidate {}, ATen {}", formatError(*errors.oracleAbs),
                     formatError(*errors.oracleReferenceAbs));
}

std::vector<std::string> errorFacts(const CaseCheck& check) {
  std::vector<std::string> facts;
  if (!check.errors) return facts;
  const ErrorFigures& errors = *check.errors;
  if (errors.mismatches > 0)
    facts.push_back(fmt::format("{} of {} elements over tolerance ({})", formatCount(errors.mismatches),
                                formatCount(errors.elements), toleranceText(check.rtol, check.atol)));
  if (!errors.firstBadIndex.empty())
    facts.push_back(fmt::format("first at {}: expected {}, got {}", errors.firstBadIndex, errors.expected,
                                errors.actual));
  if (!errors.cluster.empty()) facts.push_back("wrong: " + errors.cluster);
  if (errors.p99Abs > 0)
    facts.push_back(fmt::format("half of the elements within {}, 99 % within {}", formatError(errors.p50Abs),
                                formatError(errors.p99Abs)));
  if (std::string oracle = oracleText(errors); !oracle.empty()) facts.push_back(std::move(oracle));
  if (check.varies) facts.emplace_back("the same input gave other bits the second time");
  return facts;
}

std::string checkDetail(const CaseCheck& check) {
  std::string detail = check.message;
  for (const std::string& fact : errorFacts(check)) detail.append(detail.empty() ? "" : "\n").append(fact);
  return detail;
}

Table withoutEmptyColumns(Table table) {
  if (table.rows.empty()) return table;
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    const auto isEmpty = [c](const Table::Row& row) { return row.cells[c].text.empty(); };
    if (!std::all_of(table.rows.begin(), table.rows.end(), isEmpty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (Table::Row& row : table.rows) row.cells.erase(row.cells.begin() + at);
  }
  return table;
}

std::string firstLine(std::string_view text, std::size_t most) {
  while (!text.empty() && (text.front() == '\n' || text.front() == ' ')) text.remove_prefix(1);
  const std::size_t newline = text.find('\n');
  bool cut = newline != std::string_view::npos && text.find_first_not_of(" \n\r\t", newline) != text.npos;
  text = text.substr(0, newline);
  std::size_t points = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool starts = (static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U;
    if (starts && ++points > most) break;
  }
  cut = cut || bytes < text.size();
  std::string line(text.substr(0, bytes));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
  return cut ? line + " …" : line;
}

std::string plural(std::int64_t count, std::string_view one, std::string_view many) {
  return formatCount(count).append(" ").append(count == 1 ? one : many);
}

std::string whyNotTimed(const Report& report) {
  std::string reason;
  bool isShared = true, areForChecking = false;
  for (const auto& kernel : report.kernels)
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      if (row.check.verdict != Verdict::pass) return;
      // They say nothing of those beside them that were to be timed.
      if (row.definition.use == CaseUse::check && report.stages.has(Stage::time)) {
        areForChecking = true;
        return;
      }
      if (reason.empty()) reason = row.notTimed;
      isShared = isShared && !row.timing && row.notTimed == reason;
    });
  if (isShared && reason.empty() && areForChecking)
    return counts(report).failed > 0 ? "the cases that pass are for checking alone"
                                     : "these cases are for checking alone";
  if (!isShared || reason.empty()) return {};
  // Some reasons are sentences of their own.
  const bool isSentence = reason.front() >= 'A' && reason.front() <= 'Z';
  return (counts(report).failed > 0 && !isSentence ? "of those that pass: " : "") + firstLine(reason);
}

bool underWay(const Report& report, const KernelReport& kernel) {
  return report.outcome == Outcome::running && !report.failure && kernel.progress != Progress::done &&
         kernel.progress != Progress::failed;
}

}  // namespace wb
