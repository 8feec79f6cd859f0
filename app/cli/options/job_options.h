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
  /// Files; the extension names the format.
  std::vector<std::string> reports;
};

/// "--quick" and "--thorough".
struct EffortOptions {
  bool quick = false, thorough = false;
};

/// What `warpbench run` and `warpbench profile` were asked for, as written on the command line: a request,
/// and beside it the parts that have to be parsed first.
struct JobOptions {
  JobOptions() { request.device = "auto"; }

  JobRequest request;
  /// Lists with commas.
  std::string ops, stages = "compile,check,time";
  /// A preset, or "rtol,atol".
  std::string tolerance = "torch";
  EffortOptions effort;
  ProfileOptions profile;
  /// How many processes share the cases.
  int workers = 1;
  /// Where they run, as names or texts of targets; empty: on this machine.
  std::vector<std::string> where;
  /// The run is handed over to a cluster, or only the script with which it would be.
  bool detach = false, printScript = false;
  bool verbose = false;
  ReportTargets targets;
};

void addJobOptions(CLI::App& command, JobOptions& options);
void addEffortOptions(CLI::App& command, EffortOptions& options);

/// The request that the options mean, with the device as it was asked for. Errors say which option it is, and
/// what to do.
Result<JobRequest> requestOf(const JobOptions& options);

/// The effort that the options mean. Error: both were given.
Result<Effort> effortOf(const EffortOptions& options);

/// The interpreter that --python names: a path, or a name in PATH; "" stays "". Error of stage `setup`: there
/// is no such program.
Result<std::string> pythonOf(const std::string& python);

/// Checks the names of report files. Error: the extension of a file is not that of a report format.
Result<void> checkReportFiles(const std::vector<std::string>& files);

}  // namespace wb
