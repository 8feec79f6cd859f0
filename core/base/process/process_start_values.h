// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// What rememberStart() remembered (core/base/process/process_start.h), as children are given it.
struct StartValues {
  std::vector<std::string> environment;  ///< "NAME=value"
  std::string folder;
  std::array<rlimit, RLIM_NLIMITS> limits{};
  mode_t mask = 0;
  cpu_set_t processors;
  bool knowsProcessors = false;
  int priority = 0;
  std::uint64_t ignored = 0;  ///< bit n: signal n was ignored
};

/// Null before rememberStart().
[[nodiscard]] const StartValues* startValues();

}  // namespace wb
