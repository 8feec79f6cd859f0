// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <system_error>

#include "core/figures/cells.h"
#include "core/report/formats.h"

namespace wb {

namespace {

/// Whether a spreadsheet would take a text for a formula, which may start programs: "=cmd|…", "@SUM(…)".
bool looksLikeFormula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  if (text.front() == '+') return true;  // from_chars does not take this sign, and no figure here has it
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

/// A field by RFC 4180: one with a comma, a quote or a line end is quoted, and quotes in it are doubled. A
/// text that a spreadsheet would run as a formula gets an apostrophe, which makes it a text there; numbers
/// stay numbers.
std::string field(std::string_view text) {
  if (looksLikeFormula(text)) return field("'" + std::string(text));
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

constexpr std::array<std::string_view, 45> header = {"kernel",
                                                     "operator",
                                                     "args",
                                                     "shapes",
                                                     "dtype",
                                                     "count",
                                                     "seed",
                                                     "verdict",
                                                     "message",
                                                     "max_abs_error",
                                                     "max_rel_error",
                                                     "max_ulp_error",
                                                     "mismatches",
                                                     "elements",
                                                     "first_bad_index",
                                                     "expected",
                                                     "actual",
                                                     "rtol",
                                                     "atol",
                                                     "check_seconds",
                                                     "reference_seconds",
                                                     "candidate_seconds",
                                                     "speedup",
                                                     "speedup_low",
                                                     "speedup_high",
                                                     "pace",
                                                     "clock",
                                                     "blocks",
                                                     "calls_per_sample",
                                                     "timing_note",
                                                     "not_timed",
                                                     "time",
                                                     "cache",
                                                     "kernel_reference_seconds",
                                                     "kernel_candidate_seconds",
                                                     "kernel_hot_reference_seconds",
                                                     "kernel_hot_candidate_seconds",
                                                     "step_reference_seconds",
                                                     "step_candidate_seconds",
                                                     "call_reference_seconds",
                                                     "call_candidate_seconds",
                                                     "host_reference_seconds",
                                                     "host_candidate_seconds",
                                                     "floor_seconds",
                                                     "math"};

class Line {
 public:
  Line& operator<<(std::string_view text) {
    if (!line_.empty() || any_) line_ += ',';
    any_ = true;
    line_ += field(text);
    return *this;
  }
  /// The shortest digits that give the same double back.
  Line& operator<<(double value) { return *this << std::string_view(fmt::format("{}", value)); }
  Line& operator<<(std::int64_t value) { return *this << std::string_view(std::to_string(value)); }
  Line& skip(int fields) {
    while (fields-- > 0) *this << std::string_view();
    return *this;
  }
  [[nodiscard]] std::string end() { return std::move(line_) + "\r\n"; }

 private:
  std::string line_;
  bool any_ = false;
};

std::string lineOf(const std::string& kernel, const CaseRow& row) {
  const Case& definition = row.definition;
  const CaseCheck& check = row.check;
  Line line;
  line << kernel << definition.op << definition.args << definition.shapes << definition.dtype
       << definition.count << std::to_string(definition.seed) << name(check.verdict) << check.message;
  if (check.errors) {
    const ErrorFigures& errors = *check.errors;
    line << errors.maxAbs << errors.maxRel << errors.maxUlp << errors.mismatches << errors.elements
         << errors.firstBadIndex << errors.expected << errors.actual << check.rtol << check.atol;
  } else {
    line.skip(10);
  }
  if (check.verdict == Verdict::notRun)
    line.skip(1);
  else
    line << check.seconds;
  if (row.timing) {
    const CaseTiming& timing = *row.timing;
    line << timing.reference << timing.candidate << timing.speedup.ratio << timing.speedup.low
         << timing.speedup.high << name(timing.speedup.pace) << timing.clock
         << static_cast<std::int64_t>(timing.blocks.size()) << std::int64_t{timing.callsPerSample}
         << timing.note;
  } else {
    line.skip(10);
  }
  line << row.notTimed;
  if (row.timing) {
    const CaseTiming& timing = *row.timing;
    line << timing.time << (timing.caches == CacheState::unknown ? "" : name(timing.caches));
    // 0 is unknown, which is an empty field in a table.
    for (const double value :
         {timing.kernel.reference, timing.kernel.candidate, timing.kernelHot.reference,
          timing.kernelHot.candidate, timing.step.reference, timing.step.candidate, timing.call.reference,
          timing.call.candidate, timing.host.reference, timing.host.candidate, timing.floor}) {
      if (value > 0)
        line << value;
      else
        line.skip(1);
    }
    line << timing.math;
  } else {
    line.skip(14);
  }
  return line.end();
}

}  // namespace

Result<std::string> csvReport(const Report& report) {
  Line head;
  for (const std::string_view title : header) head << title;
  std::string text = head.end();
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const std::string label = kernelLabel(report, k);
    forEachCase(*report.kernels[k], [&](std::size_t, const CaseRow& row) { text += lineOf(label, row); });
  }
  return text;
}

}  // namespace wb
