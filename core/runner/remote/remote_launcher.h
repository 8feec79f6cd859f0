// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/files/paths.h"
#include "core/runner/launcher.h"
#include "core/targets/run_target.h"

namespace wb {

/// Starts workers on the host of an ssh target, by the program warpbench-reach in `programs`, a folder; by
/// default this program's.
[[nodiscard]] std::unique_ptr<Launcher> remoteLauncher(
    const RunTarget& target, const std::filesystem::path& programs = programFolder());

}  // namespace wb
