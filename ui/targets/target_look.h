// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/runner/remote/check/target_glance.h"
#include "core/targets/run_target.h"

namespace wb {

/// As glanceAt(), and of a cluster whose login node is reached by ssh how busy it is, too: its own tools are
/// asked there, by one connection and within ten seconds.
[[nodiscard]] TargetGlance lookAt(const RunTarget& target, const std::stop_token& stop = {});

}  // namespace wb
