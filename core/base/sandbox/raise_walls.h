// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sandbox/sandbox.h"

namespace wb {

/// As enterSandbox(), for a process that has a view of its own of processes, network and mounts, or has not.
Result<void> raiseWalls(const Sandbox& sandbox, bool ownView);

}  // namespace wb
