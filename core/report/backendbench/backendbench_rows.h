// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/report.h"

namespace wb {

/// What BackendBench calls a test result. Errors and times are as its files have them.
struct BackendBenchRow {
  /// The operator: "add.Tensor".
  std::string op;
  /// The part of the suite that scores as one: opinfo's "add", "__radd__".
  std::string group;
  /// The arguments as BackendBench's serialize_args prints them: Case::label, else Case::args.
  std::string args;
  /// The field is_correct or successfully_ran.
  bool ok = false;
  std::string message, errorType, trace;
  /// In a correctness test: −infinity where nothing was compared, absent where the errors cannot be computed.
  /// In a performance test: absent for a failure; the unit of the times is milliseconds, or seconds on a CPU
  /// when BackendBench is copied.
  std::optional<double> maxAbs, maxRel;
  std::optional<double> speedup, candidateTime, referenceTime;
  /// A performance test that was never run; its figures are 0 in BackendBench's files.
  bool skipped = false;
};

/// The rows of a run, each list in the order of the run. Cases that say nothing about the kernel (void, not
/// run) are left out and counted; so are performance tests that were right but could not be timed.
struct BackendBenchRows {
  std::vector<BackendBenchRow> correctness, performance;
  int voidCases = 0, notRun = 0, notTimed = 0;
};

/// The text that BackendBench gives every test of a kernel whose source names a stream.
inline constexpr std::string_view streamSkip = "Skipped: uses CUDA stream";

/// The rows of a report. With `like` they are as BackendBench computes them, with its quirks
/// (resources/help/backendbench.md lists them).
[[nodiscard]] BackendBenchRows backendBenchRows(const Report& report, bool like);

}  // namespace wb
