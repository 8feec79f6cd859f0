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

/// What `warpbench profile` and `warpbench run --profile` were asked for, as written on the command line.
struct ProfileOptions {
  bool asked = false;
  /// The ids of sections with commas, "quick", "all" or "none".
  std::string sections = "quick";
  /// The indices of the cases; when empty, the `count` cases that the reference takes longest for.
  std::vector<std::uint32_t> cases;
  /// The state of the caches when counters are read: "auto", "cold" or "hot".
  std::string caches = "auto";
  int count = 1;
  /// The GPU architecture to compile for; "" means the device's.
  std::string architecture;
  bool noLines = false, noTimeline = false;
  /// The file for the timeline in Chrome's trace format.
  std::string trace;
};

void addProfileOptions(CLI::App& command, ProfileOptions& options);

/// The plan that the options mean. Error: an unknown section, with the nearest known one.
Result<ProfilePlan> profilePlan(const ProfileOptions& options);

}  // namespace wb
