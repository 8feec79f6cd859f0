// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace wb {

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "warpbench-service-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  /// Under another name nobody finds it who would still write into it.
  ~TemporaryFolder() {
    std::error_code failed;
    const std::filesystem::path last = path_.string() + ".removed";
    std::filesystem::rename(path_, last, failed);
    if (!failed) std::filesystem::remove_all(last, failed);
    EXPECT_FALSE(failed) << path_ << ": " << failed.message();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wb
