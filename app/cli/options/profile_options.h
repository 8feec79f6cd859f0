// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace CLI {
class App;
}

namespace wb {

/// What `warpbench profile` and `warpbench run --profile` were asked, as written on the command line.
struct ProfileOptions {
  bool asked = false;
  /// Comma-separated ids of sections, "quick", "all" or "none".
  std::string sections = "quick";
  /// Indices; none: those that the reference takes longest for, so many as `count` says.
  std::vector<std::uint32_t> cases;
  /// "auto", "cold" or "hot": what counters are read with.
  std::string caches = "auto";
  int count = 1;
  bool noLines = false, noTimeline = false;
  /// File for the timeline in Chrome's trace format.
  std::string trace;
};

void addProfileOptions(CLI::App& command, ProfileOptions& options);

/// The plan that they mean. Error: an unknown section, with the nearest known one.
Result<ProfilePlan> profilePlan(const ProfileOptions& options);

}  // namespace wb
