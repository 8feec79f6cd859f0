// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/base/result.h"

namespace wb {

/// An empty folder for what runs inside walls, which is locked while its owner lives. Folders whose owners
/// were killed are removed when the next one is made.
class RunFolder {
 public:
  RunFolder() = default;
  static Result<RunFolder> make(const std::string& parent);
  RunFolder(RunFolder&& other) noexcept { *this = std::move(other); }
  RunFolder& operator=(RunFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();
  /// "" when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Removes it with all that is in it.
  void remove();

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace wb
