// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/targets/run_target.h"

namespace wb {

/// Where kernels run: devices of this machine, one for each worker, or so many workers of a target.
struct RunPlace {
  std::vector<std::string> devices{};
  /// Without a value the devices of this machine are meant.
  std::optional<RunTarget> target{};
  int targetWorkers = 1;
  [[nodiscard]] std::size_t workers() const {
    return target ? static_cast<std::size_t>(targetWorkers) : devices.size();
  }
  bool operator==(const RunPlace&) const = default;
};

}  // namespace wb
