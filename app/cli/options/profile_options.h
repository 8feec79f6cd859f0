// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// What `warpbench profile` and `warpbench run --profile` were asked, as written on the command line.
struct ProfileOptions {
  bool asked = false;
  std::string sections = "quick";    ///< comma-separated ids of sections, "quick", "all" or "none"
  std::vector<std::uint32_t> cases;  ///< indices; none: those that the reference takes longest for
  std::string caches = "auto";       ///< "auto", "cold" or "hot": what counters are read with
  int count = 1;                     ///< how many of those
  bool noLines = false, noTimeline = false;
  std::string trace;  ///< file for the timeline in Chrome's trace format
};

/// The plan that they mean. Error: an unknown section, with the nearest known one.
Result<ProfilePlan> profilePlan(const ProfileOptions& options);

}  // namespace wb
