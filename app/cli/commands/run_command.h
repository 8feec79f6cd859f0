// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/profile_options.h"
#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// What `warpbench run` was asked, as written on the command line.
struct RunOptions {
  std::vector<std::string> kernels;  ///< files; none: ATen's own operators, the null test
  std::string op;
  std::string language;
  std::string problem;          ///< Python file or folder with the reference (class Model) of the kernels
  std::string python;           ///< interpreter whose torch and packages are used
  int workers = 1;              ///< processes that share the cases
  bool oracle = false;          ///< the float64 oracle for every case
  bool scoreCrashed = false;    ///< times of a kernel that crashed count in summaries too
  std::string suite = "smoke";  ///< a name, or a .txt or .parquet file
  std::string dtype = "auto";   ///< of the suites that are made; "auto": what the kernels are for
  std::string ops;              ///< comma-separated filter
  int topn = 0;                 ///< largest cases of each operator; 0: all
  std::string device = "auto";
  std::string stages = "compile,check,time";
  std::string tolerance = "torch";  ///< a preset, or "rtol,atol"
  std::string sanitizer;            ///< tool of compute-sanitizer to run under
  std::uint64_t seed = 0;
  std::string json;                  ///< file, or "-" for standard output
  std::vector<std::string> reports;  ///< files, format by extension
  Limits limits;
  bool quick = false, thorough = false, verbose = false, fresh = false;
  ProfileOptions profile;
};

/// The job that the options mean, device still as asked. Files of a folder that cannot be read are left out
/// of it and named in `unread`. Errors say which option or file, and what to do.
Result<Job> makeJob(const RunOptions& options, std::vector<Error>* unread = nullptr);

/// Runs it to its end with progress on standard error and the result on standard output. The shell's exit
/// status.
int runCommand(const RunOptions& options);

}  // namespace wb
