// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/figures.h"

namespace wb {

namespace {

/// How many failing cases of each kernel are told one by one; the others are counted. The cases table has
/// them all.
constexpr int caseRows = 100;

struct Problem {
  std::string id;
  Severity severity = Severity::error;
  std::string message, detail;
  Place place;
  std::string source;
  std::string kernel = {};
  /// The place in words: "10:34" in the kernel's own source, "reduce.cuh:8" elsewhere.
  std::string where = {};
};

const std::vector<ColumnOf<Problem>>& problemColumns() {
  using Kind = ColumnKind;
  using Line = const Problem&;
  static const std::vector<ColumnOf<Problem>> columns = {
      {{.key = "severity", .title = "Severity", .meaning = "Error, warning or note", .kind = Kind::verdict},
       [](Line problem) {
         Cell cell = textCell(std::string(name(problem.severity)), toneOf(problem.severity));
         // It sorts by how bad the problem is, although it is a word.
         cell.sort = -static_cast<double>(problem.severity);
         return cell;
       }},
      {{.key = "place",
        .title = "Place",
        .meaning = "Line and column, and the file where it is not the kernel's own",
        .kind = Kind::place},
       [](Line problem) { return textCell(problem.where, Tone::neutral, text(problem.place)); }},
      {{.key = "message", .title = "Message", .meaning = "What is wrong", .kind = Kind::name},
       [](Line problem) {
         std::string line = firstLine(problem.message, 300);
         const bool cut = problem.detail.empty() && line != problem.message;
         return textCell(std::move(line), Tone::neutral, cut ? problem.message : problem.detail);
       }},
      {{.key = "kernel", .title = "Kernel", .meaning = "File"},
       [](Line problem) { return textCell(problem.kernel); }},
      {{.key = "source", .title = "Source", .meaning = "Who says so", .rank = 1},
       [](Line problem) { return textCell(problem.source, Tone::muted); }},
  };
  return columns;
}

class Problems {
 public:
  explicit Problems(const Report& report)
      : report_(report),
        table_("problems", "Problems",
               report.kernels.size() > 1 ? problemColumns() : without(problemColumns(), "kernel")) {}

  void add(Problem problem, const std::string& kernel) {
    problem.kernel = kernel;
    problem.where = whereIs(problem.place);
    table_.add(problem.id, problem, problem.place);
  }

  [[nodiscard]] Table take(std::string empty) && { return std::move(table_).take(std::move(empty)); }

 private:
  [[nodiscard]] std::string whereIs(const Place& place) const {
    const bool isOwn = std::any_of(report_.kernels.begin(), report_.kernels.end(),
                                   [&](const auto& kernel) { return kernel->source.path == place.file; });
    if (place.line <= 0) return isOwn ? std::string() : std::string(fileNameOf(place.file));
    std::string where =
        isOwn || place.file.empty() ? std::string() : std::string(fileNameOf(place.file)) + ":";
    where += std::to_string(place.line);
    return place.column > 0 ? fmt::format("{}:{}", where, place.column) : where;
  }

  const Report& report_;
  TableOf<Problem> table_;
};

Problem fromError(std::string id, const Error& error) {
  std::string detail = error.text;
  if (!error.hint.empty()) detail += "\n" + error.hint;
  std::string message = firstLine(error.text, 200);
  if (!error.hint.empty()) message += " (" + firstLine(error.hint, 200) + ")";
  return {std::move(id),     Severity::error, std::move(message),
          std::move(detail), error.place,     std::string(name(error.stage))};
}

void addDiagnostics(Problems& problems, const KernelReport& kernel, std::size_t k, const std::string& label) {
  for (std::size_t d = 0; d < kernel.diagnostics.size(); ++d) {
    const Diagnostic& diagnostic = kernel.diagnostics[d];
    std::string message = diagnostic.message;
    if (!diagnostic.code.empty()) {
      const std::size_t end = std::min(message.find('\n'), message.size());
      message.insert(end, " [" + diagnostic.code + "]");
    }
    problems.add({fmt::format("{}/diag/{}", k, d), diagnostic.severity, std::move(message), "",
                  diagnostic.place, diagnostic.tool},
                 label);
  }
}

std::string caseMessage(const CaseRow& row) {
  std::string message =
      fmt::format("{}: {}", caseLabel(row.definition), std::string(name(row.check.verdict)));
  const std::string cluster =
      row.check.errors && !row.check.errors->cluster.empty() ? "; wrong: " + row.check.errors->cluster : "";
  if (!row.check.message.empty()) return message + ", " + firstLine(row.check.message, 200) + cluster;
  if (row.check.errors && !row.check.errors->firstBadIndex.empty())
    return message +
           fmt::format(" at {}, expected {}, got {}", row.check.errors->firstBadIndex,
                       row.check.errors->expected, row.check.errors->actual) +
           cluster;
  return message;
}

void addCases(Problems& problems, const KernelReport& kernel, std::size_t k, const std::string& label) {
  int failed = 0;
  std::map<std::string, int> notTimed, flagged;
  forEachCase(kernel, [&](std::size_t index, const CaseRow& row) {
    if (!row.notTimed.empty()) ++notTimed[row.notTimed];
    if (row.check.verdict == Verdict::pass && !row.check.trivial.empty())
      ++flagged[firstLine(row.check.message, 200)];
    if (row.check.verdict == Verdict::notRun || tally(row.check.verdict) != Tally::fail) return;
    if (++failed > caseRows) return;
    problems.add({fmt::format("{}/{}", k, index), Severity::error, caseMessage(row), checkDetail(row.check),
                  Place{kernel.source.path, 0, 0}, "check"},
                 label);
  });
  if (failed > caseRows)
    problems.add({fmt::format("{}/more", k), Severity::error,
                  fmt::format("{} more cases fail", formatCount(failed - caseRows)),
                  "The cases table has all of them", Place{}, "check"},
                 label);
  for (const auto& [why, count] : flagged)
    problems.add(
        {fmt::format("{}/flagged/{}", k, why), Severity::warning,
         fmt::format("{} tell{} little: {}", plural(count, "case", "cases"), count == 1 ? "s" : "", why), "",
         Place{}, "check"},
        label);
  for (const auto& [reason, count] : notTimed) {
    constexpr std::string_view beginning = "not timed: ";
    const std::string_view why =
        std::string_view(reason).substr(reason.starts_with(beginning) ? beginning.size() : 0);
    problems.add({fmt::format("{}/untimed/{}", k, reason), Severity::note,
                  fmt::format("{} not timed: {}", plural(count, "case", "cases"), why), "", Place{}, "time"},
                 label);
  }
}

/// Adds what the profile stage could not have, each reason once.
void addProfileNotes(Problems& problems, const KernelReport& kernel, std::size_t k,
                     const std::string& label) {
  std::map<std::string, int> notes;
  forEachCase(kernel, [&](std::size_t, const CaseRow& row) {
    if (!row.profile) return;
    const CaseProfile& profile = **row.profile;
    if (!profile.notProfiled.empty()) ++notes["not profiled: " + profile.notProfiled];
    for (const SideProfile* side : {&profile.candidate, &profile.reference})
      for (const std::string& note : side->notes) ++notes[note];
  });
  for (const auto& [note, count] : notes)
    problems.add({fmt::format("{}/profile/{}", k, note), Severity::note, note, "", Place{}, "profile"},
                 label);
}

/// Adds lost workers that were not a kernel's fault; a kernel's own crashes are failures of its cases.
void addLosses(Problems& problems, const Report& report) {
  for (std::size_t i = 0; i < report.losses.size(); ++i) {
    const WorkerLost& lost = report.losses[i];
    if (lost.blame != Blame::warpbench) continue;
    std::string detail =
        "Neither the kernel's code nor the reference's was running. Unless a call before it left a thread or "
        "broken memory behind, this is a fault of Warpbench: please report it.";
    if (!lost.lastWords.empty()) detail += "\nThe worker last printed:\n" + lost.lastWords;
    const std::string label =
        lost.kernel && *lost.kernel < report.kernels.size() ? kernelLabel(report, *lost.kernel) : "";
    problems.add(
        {fmt::format("lost/{}", i), Severity::error, describe(lost), std::move(detail), Place{}, "warpbench"},
        label);
  }
}

}  // namespace

Table problemsTable(const Report& report) {
  Problems problems(report);
  if (report.failure) problems.add(fromError("job/failure", *report.failure), "");
  addLosses(problems, report);
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    const std::string label = kernelLabel(report, k);
    const bool explained = std::any_of(kernel.diagnostics.begin(), kernel.diagnostics.end(),
                                       [](const Diagnostic& d) { return d.severity == Severity::error; });
    // The compiler's own errors say more than "it did not compile".
    if (kernel.failure && !(explained && kernel.failure->stage == Stage::compile))
      problems.add(fromError(fmt::format("{}/failure", k), *kernel.failure), label);
    addDiagnostics(problems, kernel, k, label);
    addCases(problems, kernel, k, label);
    addProfileNotes(problems, kernel, k, label);
    if (kernel.compiled && !kernel.compiled->note.empty())
      problems.add({fmt::format("{}/note", k), Severity::note, kernel.compiled->note, "",
                    Place{kernel.source.path, 0, 0}, "compile"},
                   label);
  }
  return std::move(problems).take(report.outcome == Outcome::running ? "No problems so far" : "No problems");
}

}  // namespace wb
