// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "core/base/sandbox/sandbox.h"

namespace wb {

/// Watches what a process and all that came of it take together, from outside.
class Watch {
 public:
  /// `root` is the process from which all others inside come; it does not count itself. `scratch` is "" for
  /// none.
  Watch(const Sandbox& sandbox, pid_t root, std::string scratch);
  /// Whether there is anything to look at now and then.
  [[nodiscard]] bool isNeeded() const;
  /// Looks once. What has gone over its limit, in words: "memory (512 MiB)".
  [[nodiscard]] std::optional<std::string> over();

 private:
  SandboxLimits limits_;
  pid_t root_;
  std::string scratch_;
  /// Processes inside may have processes of their own.
  bool deep_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now(), scratchSeen_ = started_;
};

}  // namespace wb
