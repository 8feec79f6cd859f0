// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/options/profile_options.h"
#include "core/base/result.h"
#include "core/jobs/effort.h"
#include "core/jobs/job_request.h"

namespace CLI {
class App;
}

namespace wb {

/// Where a command was asked to write its report.
struct ReportTargets {
  /// A file, or "-" for standard output.
  std::string json;
  /// Files; the format is that of the extension.
  std::vector<std::string> reports;
};

/// "--quick" and "--thorough".
struct EffortOptions {
  bool quick = false, thorough = false;
};

/// What `warpbench run` and `warpbench profile` were asked, as written on the command line: a request, and
/// beside it what has to be read first.
struct JobOptions {
  JobOptions() { request.device = "auto"; }

  JobRequest request;
  /// Comma-separated.
  std::string ops, stages = "compile,check,time";
  /// A preset, or "rtol,atol".
  std::string tolerance = "torch";
  EffortOptions effort;
  ProfileOptions profile;
  /// Processes that share the cases.
  int workers = 1;
  bool verbose = false;
  ReportTargets targets;
};

void addJobOptions(CLI::App& command, JobOptions& options);
void addEffortOptions(CLI::App& command, EffortOptions& options);

/// The request that the options mean, its device as it was asked for. Errors say which option, and what to
/// do.
Result<JobRequest> requestOf(const JobOptions& options);

/// Error: both were given.
Result<Effort> effortOf(const EffortOptions& options);

/// The interpreter that --python names: a path, or a name in PATH; "" stays "". Error of stage `setup`: there
/// is no such program.
Result<std::string> pythonOf(const std::string& python);

/// Error: a file whose extension is no report format's.
Result<void> checkReportFiles(const std::vector<std::string>& files);

}  // namespace wb
