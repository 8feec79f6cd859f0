// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// Makes the jobs that workers are given, each a part of the whole. A cluster's workers are given thousands:
/// a part costs what is in it, and what all parts of a kernel have in common is found once.
class JobParts {
 public:
  /// Job and report outlive this.
  JobParts(const Job& job, const Report& report);

  /// The job as it is given to the worker that does this work: without the texts of other kernels, and with
  /// the work's own cases where it is known which they are, else with all of the kernels' operators.
  [[nodiscard]] Job of(JobWork work);

 private:
  using Numbers = std::vector<std::uint32_t>;
  [[nodiscard]] PlannedCases plannedFor(const KernelWork& work);
  void addCases(Job& part) const;

  const Job& job_;
  const Report& report_;
  /// The places in the job's cases of each operator's.
  std::map<std::string, Numbers> byOperator_;
  /// For each kernel that was compiled the types of all its cases.
  std::vector<std::optional<std::vector<std::string>>> dtypes_;
};

}  // namespace wb
