// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

/// Which cases a command line asks for.
struct SuiteChoice {
  std::string suite = "smoke";
  std::string dtype = "bfloat16";
  std::string device = "auto";  ///< "auto", "cpu", "cuda:N": whose samples opinfo takes
  std::string ops;              ///< comma-separated names or globs
  int topn = 0;
  std::vector<std::string> kernels;  ///< whose own cases the suite "beside" takes
};

/// Loads it. Progress goes to standard error while a suite is made: one live line on a terminal, else a line
/// now and then.
Result<Suite> chooseSuite(const SuiteChoice& choice);

}  // namespace wb
