// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/run/run_job.h"
#include "core/base/result.h"
#include "core/figures/figure.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// What `warpbench selftest` was asked.
struct SelftestRequest {
  std::string device = "auto";
  int repeats = 20;
  bool doBench = true;  ///< Triton's beside ours, where it is there
  std::string json;     ///< report of the run: file, or "-" for standard output
};

/// How well one size was timed against itself.
struct NullRow {
  std::int64_t elements = 0;
  int repeats = 0;
  double seconds = 0;      ///< of a call, median
  double worst = 0;        ///< |ratio − 1|
  int covered = 0;         ///< intervals that cover 1
  double caseSeconds = 0;  ///< a case took, mean; 0 unknown
  double clocks = 0;       ///< median of kernel time by events / by CUPTI − 1; NaN unknown
  std::string clock;
};

/// ATen's relu against itself: a case a size and repeat, which differ by their seeds alone.
Result<Job> selftestJob(const SelftestRequest& request, const std::string& device);
/// Rows of a report of that job. `caseSeconds`: what each case took, by its index.
[[nodiscard]] std::vector<NullRow> nullRows(const Report& report,
                                            const std::map<std::uint32_t, double>& caseSeconds);
/// The same as a table; `doBench`: Triton's worst and seconds a pair by elements, or empty.
struct DoBenchRow {
  double worst = 0, seconds = 0;
};
[[nodiscard]] Table nullTable(const std::vector<NullRow>& rows,
                              const std::map<std::int64_t, DoBenchRow>& doBench);

struct NullRun {
  std::shared_ptr<const Report> report;  ///< null when there was not even one
  std::vector<NullRow> rows;
};
/// Runs selftestJob's job.
[[nodiscard]] NullRun runNullTest(const Job& job, const RunWay& way);

/// Times ATen against itself and prints how far from 1 that comes out. 0 when every size was timed, 2 usage,
/// 3 no worker or device, 130 cancelled.
int selftestCommand(const SelftestRequest& request);

}  // namespace wb
