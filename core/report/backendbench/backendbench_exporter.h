// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/report.h"
#include "core/report/backendbench/backendbench_rows.h"

namespace wb {

/// How BackendBench's files are written.
struct BackendBenchOptions {
  bool like = false;        ///< copy its quirks; else each is corrected (resources/help/backendbench.md)
  double p = 1.0;           ///< threshold of perf@p
  std::string commandLine;  ///< as the summary shows it
};

/// The four files of BackendBench, whole.
struct BackendBenchFiles {
  std::string fullResults;                     ///< full_results.json
  std::string failedTests;                     ///< failed_tests.json
  std::optional<std::string> operatorSummary;  ///< operator_summary.csv; absent without results
  std::string overallSummary;                  ///< OVERALL_SUMMARY.md
};

/// The same schema in both modes, and the same text for the same verdicts but for the quirks.
[[nodiscard]] BackendBenchFiles backendBenchFiles(const BackendBenchRows& rows,
                                                  const BackendBenchOptions& options);

}  // namespace wb
