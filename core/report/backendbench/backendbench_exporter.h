// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/report.h"
#include "core/report/backendbench/backendbench_rows.h"

namespace wb {

/// How BackendBench's files are written.
struct BackendBenchOptions {
  /// Copies BackendBench's quirks; else each is corrected (resources/help/backendbench.md).
  bool like = false;
  /// The threshold of perf@p.
  double p = 1.0;
  /// The command as the summary shows it.
  std::string commandLine;
};

/// The contents of BackendBench's four files.
struct BackendBenchFiles {
  /// The content of full_results.json.
  std::string fullResults;
  /// The content of failed_tests.json.
  std::string failedTests;
  /// The content of operator_summary.csv; absent without results.
  std::optional<std::string> operatorSummary;
  /// The content of OVERALL_SUMMARY.md.
  std::string overallSummary;
};

/// Both modes have the same schema, and except for the quirks the same text for the same verdicts.
[[nodiscard]] BackendBenchFiles backendBenchFiles(const BackendBenchRows& rows,
                                                  const BackendBenchOptions& options);

}  // namespace wb
