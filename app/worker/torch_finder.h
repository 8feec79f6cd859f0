// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace wb {

/// A torch wheel on disk.
struct TorchFolder {
  /// The folder …/site-packages/torch.
  std::filesystem::path root;
  /// "2.11.0+cu130"
  std::string version;
};

/// Finds the torch to use: `wanted` (torch's folder, its site-packages or a virtual environment) when given,
/// else the one beside $WARPBENCH_PYTHON, else that of the set-up's environment, else the one beside python3
/// of PATH. Looks at files first; an interpreter is started, without importing torch, only where torch is not
/// where wheels are installed. Errors: there is none, or it is another version than 2.11, with what to do.
Result<TorchFolder> findTorchFolder(const std::string& wanted);

}  // namespace wb
