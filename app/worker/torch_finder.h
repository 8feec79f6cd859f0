// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace wb {

/// A torch wheel on disk.
struct TorchFolder {
  std::filesystem::path root;  ///< …/site-packages/torch
  std::string version;         ///< "2.11.0+cu130"
};

/// Finds the torch to use: `wanted` (torch's folder, its site-packages or a virtual environment) when given,
/// else beside $WARPBENCH_PYTHON, else in the set-up's environment, else beside python3 of PATH. Looks at
/// files first; an interpreter is asked, without importing torch, only where its torch is not where wheels
/// go. Errors: none, or another version than 2.11, with what to do.
Result<TorchFolder> findTorchFolder(const std::string& wanted);

}  // namespace wb
