// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/sandbox/sandbox.h"

namespace wb {

/// The walls around a guest whose parent is started as `command` for a device ("cpu", "cuda:0"): it reads the
/// system, its torch, its interpreter, and the kernels that were built; it writes to an empty folder of its
/// own; it reaches no network and sees no other processes, without which it may not start; it starts none,
/// unless `mayStartProcesses`. Error: where its torch is, is not known.
Result<Sandbox> guestWalls(const std::vector<std::string>& command, const std::string& device,
                           bool mayStartProcesses);

/// The walls as a guest's parent gets them. Error: this machine cannot raise them.
Result<std::string> raisableWalls(const Sandbox& walls);

/// Says of an error of a kernel in its guest what walls have to do with it, as far as its words tell.
[[nodiscard]] Error withWalls(Error error);

}  // namespace wb
