// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/backendbench/backendbench_rows.h"

namespace wb {

/// BackendBench's three scores; NaN where nothing counts.
struct BackendBenchScores {
  /// The share of operators, counted per (group, operator), that have every correctness test right.
  double correctness = 0;
  /// The geomean over these of their geomean speedups.
  double performance = 0;
  /// The share of those that are right and faster than p.
  double perfAtP = 0;
};

/// The scores. With `like` a failed performance test counts as 1.0×; else it is left out, and so is an
/// operator without any from the performance score.
[[nodiscard]] BackendBenchScores backendBenchScores(const BackendBenchRows& rows, double p, bool like);

/// The last three lines that BackendBench prints, each with a newline at its end.
[[nodiscard]] std::string closingLines(const BackendBenchScores& scores, double p);

/// All rows of one operator, whatever their group, which are a line of the two summaries. These are pointers
/// into the rows.
struct BackendBenchOperator {
  std::string name;
  std::vector<const BackendBenchRow*> correctness, performance;
  /// How many correctness tests passed.
  [[nodiscard]] std::size_t passed() const;
  /// How many performance tests ran.
  [[nodiscard]] std::size_t ran() const;
};
/// The operators in the order in which their first result came.
[[nodiscard]] std::vector<BackendBenchOperator> backendBenchOperators(const BackendBenchRows& rows);

/// exp(mean(log(x))) with torch's float32; NaN when there are no values.
[[nodiscard]] double geomeanFloat32(std::span<const double> values);
/// The speedups of which an operator's geomean is made; with `like` failures count as 1.0.
[[nodiscard]] std::vector<double> countedSpeedups(std::span<const BackendBenchRow* const> performance,
                                                  bool like);

}  // namespace wb
