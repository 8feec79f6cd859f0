// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "core/model/event.h"
#include "core/model/profile.h"

namespace wb {

/// The counters of one side in the evaluation server's groups and names. What the device did not count is
/// left out, and so is a group with nothing in it. Of a call of several launches sums are over all of them,
/// and everything else is the longest one's. Null without launches.
[[nodiscard]] nlohmann::ordered_json deviceMetrics(const SideProfile& profile, const Target& target);

}  // namespace wb
