// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace wb {

/// A disk of its own on a folder, for as long as this object lives. This process and what it starts from now
/// on see it, and no other process of this machine.
class SmallDisk {
 public:
  /// `size` is as tmpfs takes it, "size=64k"; `flags` are mount's.
  SmallDisk(const std::filesystem::path& folder, const char* size, unsigned long flags);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  /// False where nothing can be mounted on this machine.
  [[nodiscard]] bool isThere() const { return isThere_; }

 private:
  std::filesystem::path folder_;
  bool isThere_ = false;
};

}  // namespace wb
