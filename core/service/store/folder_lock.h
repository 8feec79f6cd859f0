// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"
#include "core/service/store/open_file.h"

namespace wb {

/// A folder that nobody else has who asks in this way, until this object or the process is gone.
class FolderLock {
 public:
  /// Makes the folder where it is missing; others than the user cannot read it. Errors: it cannot be written,
  /// somebody else has it.
  static Result<FolderLock> take(const std::filesystem::path& folder);

 private:
  explicit FolderLock(OpenFile file) : file_(std::move(file)) {}
  OpenFile file_;
};

}  // namespace wb
