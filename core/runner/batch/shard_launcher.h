// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/runner/launcher.h"

namespace wb {

/// Starts workers as `inner` does, where a scheduler may end everything at any time: it sends SIGTERM to all
/// processes of a task, and a worker that ends by it is not lost by a kernel's fault.
[[nodiscard]] std::unique_ptr<Launcher> shardLauncher(std::unique_ptr<Launcher> inner);

}  // namespace wb
