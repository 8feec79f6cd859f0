// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace wb {

/// A file that is open, until this object is gone. Programs that are started do not get it.
class OpenFile {
 public:
  /// Opens it for reading, or with `make` for writing too, where it is made. Errors name the file and the
  /// cause.
  static Result<OpenFile> open(const std::filesystem::path& file, bool make = false);
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace wb
