// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/suites/suites.h"

namespace wb {

/// What `warpbench compare` was asked.
struct CompareRequest {
  std::string a,
      b;           ///< each a kernel's file, a directory in BackendBench's layout, or a saved report (.json)
  std::string op;  ///< that kernel files implement
  std::string suite = "smoke";
  std::string ops;  ///< comma-separated filter
  std::string device = "auto";
  std::string dtype = "bfloat16";
  std::string json;                  ///< file, or "-" for standard output
  std::vector<std::string> reports;  ///< .md or .json
  Limits limits;
  bool quick = false, thorough = false;
};

/// The kernels of one side that is no report, for the operators that the suite has. Errors: unreadable, of no
/// language, a directory without kernels for them.
Result<std::vector<KernelSource>> kernelsToCompare(const std::string& side, const std::string& op,
                                                   const Suite& suite);

/// Runs what is not a report, A before B, and prints the figures. 0 when both sides could be compared, 2
/// usage, 3 no worker or device, 130 cancelled.
int compareCommand(const CompareRequest& request);

}  // namespace wb
