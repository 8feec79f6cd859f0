// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace wb {

/// The whole file as bytes. Errors: it is missing, unreadable, a folder, or larger than `maxBytes` (the
/// message has both sizes).
Result<std::string> readFile(const std::filesystem::path& path, std::size_t maxBytes = std::size_t{64} << 20);

/// A source file as UTF-8 text. Reads like readFile, and refuses binary content (a NUL byte or invalid
/// UTF-8); the error has the place.
Result<std::string> readSource(const std::filesystem::path& path,
                               std::size_t maxBytes = std::size_t{8} << 20);

/// Writes to a temporary file beside `path`, syncs and renames it, so that readers see the old or the new
/// content and never half of it. What is no file, such as a pipe or a device, is written into. Makes missing
/// parent folders. Errors name the path and the cause (read-only, disk full, …).
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// A file that nobody else has, which is removed with this object.
class TemporaryFile {
 public:
  /// Makes a file in the system's folder for temporary files. Errors name the folder and the cause.
  static Result<TemporaryFile> make(std::string_view content = {});
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace wb
