// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/corrections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/model/operators/operator_name.h"
#include "core/report/backendbench/backendbench_rows.h"

namespace wb {
namespace {

bool inPlace(const std::string& op) {
  const std::string base = baseName(op);
  return base.ends_with('_') && !base.ends_with("__");
}

/// BackendBench's tolerance is at least this, whatever the values are.
constexpr double theirTolerance = 1e-2;

/// Whether BackendBench's search for streams may find one in a text; it looks at one function.
bool namesStream(const std::string& source) {
  const std::string text = lowerCase(source);
  constexpr std::string_view call = "stream(";
  for (std::size_t at = 0; (at = text.find(call, at)) != std::string::npos; at += call.size()) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const char last = before.empty() ? ' ' : before.back();
    const bool name = std::isalnum(static_cast<unsigned char>(last)) || last == '_';
    if (!name || before.ends_with("make_") || before.ends_with("create_")) return true;
  }
  return false;
}

/// The results of a run's cases, as far as BackendBench would see them otherwise.
struct Seen {
  int inPlace = 0, changed = 0, trivial = 0, varies = 0, within = 0, streams = 0;
  std::vector<std::string> unloaded;
};

Seen look(const Report& report) {
  Seen seen;
  for (const auto& kernel : report.kernels) {
    if (kernel->failure && !kernel->compiled) seen.unloaded.push_back(shortName(kernel->source.op));
    seen.streams += namesStream(kernel->source.text);
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      const CaseCheck& check = row.check;
      if (check.verdict == Verdict::notRun) return;
      seen.inPlace += inPlace(row.definition.op);
      seen.changed += check.verdict == Verdict::changedInput;
      seen.within += check.verdict == Verdict::mismatch && check.errors && check.errors->maxAbs > 0 &&
                     check.errors->maxAbs <= theirTolerance;
      seen.trivial += !check.trivial.empty();
      seen.varies += check.varies;
    });
  }
  return seen;
}

}  // namespace

std::vector<std::string> corrections(const Report& report, const std::vector<std::string>& choices) {
  const Seen seen = look(report);
  const BackendBenchRows rows = backendBenchRows(report, false);
  std::vector<std::string> lines;
  const auto say = [&](int count, std::string_view one, std::string_view many, std::string_view what) {
    if (count > 0) lines.push_back(fmt::format("{} {}", plural(count, one, many), what));
  };
  say(seen.inPlace, "in-place case", "in-place cases", "compared with a clean clone, not with itself");
  say(seen.changed, "case", "cases", "failed because the kernel changed an input");
  say(seen.within, "case", "cases", "failed with no error above 0.01, which BackendBench lets pass");
  say(seen.streams, "kernel", "kernels", "run though the text names a stream");
  say(static_cast<int>(seen.unloaded.size()), "kernel", "kernels",
      fmt::format("that did not load counted as failed: {}", fmt::join(seen.unloaded, ", ")));
  int failedTimes = 0;
  for (const BackendBenchRow& row : rows.performance) failedTimes += !row.ok;
  say(failedTimes, "failed performance test", "failed performance tests", "left out, not counted as 1.0x");
  say(rows.voidCases, "case", "cases", "left out because the reference itself fails");
  say(rows.notTimed, "right case", "right cases", "left out of the speedups because they could not be timed");
  say(seen.trivial, "case", "cases", "flagged: a trivial answer passes them too");
  say(seen.varies, "case", "cases", "flagged: other bits the second time");
  if (report.device == "cpu" && !rows.performance.empty())
    lines.emplace_back("times are milliseconds, not seconds");
  for (const std::string& choice : choices) lines.push_back("kernel of " + choice);
  return lines;
}

}  // namespace wb
