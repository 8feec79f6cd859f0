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
  double correctness = 0;  ///< operators, one a (group, operator), with every correctness test right
  double performance = 0;  ///< geomean over them of their geomean speedups
  double perfAtP = 0;      ///< those that are right and faster than p
};

/// `like`: a failed performance test counts as 1.0×; else it is left out, and an operator without any is left
/// out of the performance score.
[[nodiscard]] BackendBenchScores backendBenchScores(const BackendBenchRows& rows, double p, bool like);

/// The last three lines BackendBench prints, with a newline behind each.
[[nodiscard]] std::string closingLines(const BackendBenchScores& scores, double p);

/// All rows of one operator whatever their group: a line of the two summaries. Pointers into the rows.
struct BackendBenchOperator {
  std::string name;
  std::vector<const BackendBenchRow*> correctness, performance;
  [[nodiscard]] std::size_t passed() const;  ///< correctness
  [[nodiscard]] std::size_t ran() const;     ///< performance
};
/// In the order in which their first result came.
[[nodiscard]] std::vector<BackendBenchOperator> backendBenchOperators(const BackendBenchRows& rows);

/// exp(mean(log(x))) with torch's float32; NaN for none.
[[nodiscard]] double geomeanFloat32(std::span<const double> values);
/// The speedups that an operator's geomean is over: with `like` failures are in it as 1.0.
[[nodiscard]] std::vector<double> countedSpeedups(std::span<const BackendBenchRow* const> performance,
                                                  bool like);

}  // namespace wb
