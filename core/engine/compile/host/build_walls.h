// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/base/process/process.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/compile/host/toolchain.h"

namespace wb {

/// Puts walls around a compiler that is about to build user code: it reads the system, torch, the toolkit,
/// the folder of the source and the folder of our `headers`, writes its folder (Command::folder) and nothing
/// else, and has neither network nor GPU.
void raiseBuildWalls(Command& command, const TorchInstallation& torch, const std::filesystem::path& headers,
                     const KernelSource& source);

}  // namespace wb
