// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/figures/verdict/run_speedup.h"
#include "core/model/report.h"

namespace wb {

/// The cases of one operator that one kernel ran, in the order they first appear.
struct OperatorGroup {
  std::string op;
  std::size_t kernel = 0;
  int cases = 0, passed = 0, failed = 0;
  /// As wb::scored says.
  bool scored = true;
  /// None where it is not scored.
  TimedCases timed;
  /// The case with the largest absolute error; points into the report.
  const CaseRow* worst = nullptr;
  /// "0/aten::relu"
  [[nodiscard]] std::string rowId() const;
};

[[nodiscard]] std::vector<OperatorGroup> operatorGroups(const Report& report);

}  // namespace wb
