// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/report.h"

namespace wb {

/// What BackendBench calls a test result. Errors and times are as its files have them.
struct BackendBenchRow {
  std::string op;     ///< "add.Tensor"
  std::string group;  ///< the part of the suite that scores as one: opinfo's "add", "__radd__"
  std::string args;   ///< as its serialize_args prints them: Case::label, else Case::args
  bool ok = false;    ///< is_correct, successfully_ran
  std::string message, errorType, trace;
  /// Correctness: −infinity where nothing was compared, absent where the errors cannot be computed.
  /// Performance: absent for a failure; the unit of the times is milliseconds, or seconds on a CPU when
  /// copying BackendBench.
  std::optional<double> maxAbs, maxRel;
  std::optional<double> speedup, candidateTime, referenceTime;
  bool skipped = false;  ///< performance: never run, its figures are 0 in BackendBench's files
};

/// The rows of a run, each list in the order of the run. Cases that say nothing about the kernel (void, not
/// run) are left out; so is a performance test that was right but could not be timed, and they are counted.
struct BackendBenchRows {
  std::vector<BackendBenchRow> correctness, performance;
  int voidCases = 0, notRun = 0, notTimed = 0;
};

/// The text BackendBench gives every test of a kernel whose source names a stream.
inline constexpr std::string_view streamSkip = "Skipped: uses CUDA stream";

/// `like`: as BackendBench computes them, quirks included (resources/help/backendbench.md lists them).
[[nodiscard]] BackendBenchRows backendBenchRows(const Report& report, bool like);

}  // namespace wb
