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

/// The state that rememberStart() remembered (core/base/process/process_start.h), as children get it.
struct StartValues {
  /// "NAME=value"
  std::vector<std::string> environment;
  std::string folder;
  std::array<rlimit, RLIM_NLIMITS> limits{};
  mode_t mask = 0;
  cpu_set_t processors;
  bool knowsProcessors = false;
  int priority = 0;
  /// Bit n is set when signal n was ignored.
  std::uint64_t ignored = 0;
};

/// This is null before rememberStart() was called.
[[nodiscard]] const StartValues* startValues();

}  // namespace wb
