// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/targets/run_target.h"

namespace wb {

/// Where kernels run: devices of this machine, one for each worker, and so many workers of each target. All
/// share a run.
struct RunPlace {
  std::vector<std::string> devices{};
  std::vector<RunTarget> targets{};
  int targetWorkers = 1;
  [[nodiscard]] std::size_t workers() const {
    return devices.size() + targets.size() * static_cast<std::size_t>(targetWorkers);
  }
  /// How many machines it is on, as far as that is known: a target is one.
  [[nodiscard]] std::size_t machines() const { return targets.size() + (devices.empty() ? 0 : 1); }
  bool operator==(const RunPlace&) const = default;
};

/// What people call it: "cuda:0 and box".
[[nodiscard]] QString titleOf(const RunPlace& place);

}  // namespace wb
