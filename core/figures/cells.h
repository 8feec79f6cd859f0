// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// The figures share these: they turn values of the model into cells, labels and tones.

[[nodiscard]] Tone toneOf(Verdict verdict);
[[nodiscard]] Tone toneOf(Pace pace);
[[nodiscard]] Tone toneOf(Severity severity);

[[nodiscard]] Cell textCell(std::string text, Tone tone = Tone::neutral, std::string detail = {});
[[nodiscard]] Cell secondsCell(double seconds);
[[nodiscard]] Cell errorCell(double value, Tone tone = Tone::neutral);
[[nodiscard]] Cell countCell(std::int64_t count, Tone tone = Tone::neutral);

/// A number with its unit where `known`, else an empty cell that sorts last.
[[nodiscard]] Cell ratioCell(double ratio, Tone tone, std::string detail = {});
/// What is said in place of a ratio that nobody knows.
constexpr std::string_view tooNoisy = "too noisy";
/// A measured ratio; `tooNoisy` where it has no interval.
[[nodiscard]] std::string speedupText(const Speedup& speedup);
/// The same as a cell: what is too noisy is grey, has no bar and sorts last.
[[nodiscard]] Cell speedupCell(const Speedup& speedup, std::string detail = {});
/// An interval in words: "1.88 – 2.01×", or `tooNoisy`.
[[nodiscard]] std::string intervalText(double low, double high);

/// A line of a kernel's source, "17", or of another file, "reduce.cuh:8" with its path as the tooltip.
[[nodiscard]] Cell lineCell(const KernelReport& kernel, const Place& place);

/// The label of an operator, "relu" or "sum.dim_IntList"; other namespaces than aten keep theirs.
[[nodiscard]] std::string operatorLabel(std::string_view op);
/// The file name of a kernel, with its folder where two kernels share a name; "ATen" for the null test.
[[nodiscard]] std::string kernelLabel(const Report& report, std::size_t kernel);
/// The operator that a kernel runs, or the one that was asked for while that is not resolved; may be empty.
[[nodiscard]] std::string kernelOperator(const KernelReport& kernel);
/// "relu 1024×1024 f32", with the layout where it is not the plain one.
[[nodiscard]] std::string caseLabel(const Case& definition);
/// The layout of the first unusual tensor of the arguments: "expanded", "transposed" or "strided"; "" when
/// all are contiguous.
[[nodiscard]] std::string_view layoutOf(std::string_view args);
/// The tolerance of a check: "rtol 1.3e-06 · atol 1.0e-05".
[[nodiscard]] std::string toleranceText(double rtol, double atol);

/// What is known of a case's errors beyond its three largest, in one line each: how many elements are over
/// the tolerance, the first of them, their pattern; percentiles; both sides' errors against float64.
[[nodiscard]] std::vector<std::string> errorFacts(const CaseCheck& check);
/// Why a case failed: its message and then its errorFacts.
[[nodiscard]] std::string checkDetail(const CaseCheck& check);
/// The errors against float64, "against float64: candidate 3.0e-07, ATen 2.0e-07"; "" where they were not
/// computed.
[[nodiscard]] std::string oracleText(const ErrorFigures& errors);

/// One thing that is known: "an empty kernel", "1.2 µs".
struct Fact {
  std::string what, text;
  bool operator==(const Fact&) const = default;
};

/// The name of the headline's time: "kernel, cold", "step, hot", "call"; "" where it is not known.
[[nodiscard]] std::string timeText(const CaseTiming& timing);
/// What is known of a case's timing beyond the headline: which time it is, the others, whether
/// two clocks agree, energy, floor, math modes, kernels that ran, conditions of the device.
[[nodiscard]] std::vector<Fact> timingFacts(const CaseTiming& timing);

/// The lowest and highest values that the blocks of some cases saw; nothing where they were not read.
struct ConditionRanges {
  struct Range {
    double low = 0, high = 0;
    void take(double value);
    [[nodiscard]] bool known() const { return high > 0; }
  };
  Range smHertz, memoryHertz, watts, celsius;
  /// The number of blocks for each reason.
  std::map<std::string, int> throttled;
  int blocks = 0;
  void take(const CaseTiming& timing);
};
/// The clocks and other conditions in words: "SM 1.98 GHz, memory 2.62 GHz", "612 – 688 W", "41 – 44 °C",
/// "power cap in 12 of 240 blocks"; "" when unknown.
[[nodiscard]] std::string clocksText(const ConditionRanges& ranges);
[[nodiscard]] std::string powerText(const ConditionRanges& ranges);
[[nodiscard]] std::string throttleText(const ConditionRanges& ranges);

/// A table without the columns that are empty in every row; with all of them where there are no rows.
[[nodiscard]] Table withoutEmptyColumns(Table table);

/// The first line, cut to `most` code points with "…", which also stands where lines follow.
[[nodiscard]] std::string firstLine(std::string_view text, std::size_t most = 160);
[[nodiscard]] std::string plural(std::int64_t count, std::string_view one, std::string_view many);

/// Why no case that passed was timed, where all of them have the same reason; else "".
[[nodiscard]] std::string whyNotTimed(const Report& report);

/// The tone is good when all of the bounds are above 1.01, bad when they are below 0.99, else neutral.
[[nodiscard]] Tone toneOf(const SpeedupSummary& summary);

/// Whether cases of this kernel may still run.
[[nodiscard]] bool underWay(const Report& report, const KernelReport& kernel);

/// Calls `visit(index, row)` for each case.
template <class Visit>
void forEachCase(const KernelReport& kernel, Visit&& visit) {
  std::size_t index = 0;
  for (const auto& chunk : kernel.cases.chunks())
    for (const CaseRow& row : *chunk) visit(index++, row);
}

}  // namespace wb
