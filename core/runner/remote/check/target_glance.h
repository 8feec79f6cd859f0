// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "core/targets/run_target.h"

namespace wb {

/// What a short look at a target has seen, for those who choose among several.
struct TargetGlance {
  /// It can be reached now.
  bool isInReach = false;
  /// "in reach", "3 of 8 nodes are idle, 12 jobs wait"; else why it cannot be reached.
  std::string words;
};

/// Looks whether a target can be reached, and on Slurm how busy it is, also behind a login node, within ten
/// seconds, or a tenth of one once `stop` asks for it. Nothing is copied or started there.
[[nodiscard]] TargetGlance glanceAt(const RunTarget& target, const std::stop_token& stop = {});

/// What Slurm's own tools say in words: `nodes` is what `sinfo --noheader --format=%a/%A` prints, a line for
/// each group of nodes, and `waiting` a line for each job that waits.
[[nodiscard]] TargetGlance partitionGlance(std::string_view nodes, std::string_view waiting);

}  // namespace wb
