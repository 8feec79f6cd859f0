// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files/cache_limit.h"
#include "core/base/result.h"

namespace wb {

/// A private folder below `parent`, which is removed at the end.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make(const std::filesystem::path& parent);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::move(other.path_)), lock_(other.lock_) {
    other.path_.clear();
    other.lock_ = -1;
  }
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  /// The lock, which tells that the folder's process lives.
  int lock_ = -1;
};

/// Removes scratch folders below `parent` whose processes were killed.
void removeScratchLeftovers(const std::filesystem::path& parent);

/// Built kernels by the hash of everything that went into them. Many processes may use one folder, since
/// entries appear and go by renaming. An entry is a folder with the shared object, whose name is the hash of
/// its content, and manifest.json.
class BuildCache {
 public:
  struct Entry {
    /// The shared object.
    std::filesystem::path object;
    /// What the compiler printed: warnings, to be shown again.
    std::string output;
  };

  /// When all entries together are larger than `limitBytes`, those used longest ago are removed.
  explicit BuildCache(std::filesystem::path folder, std::int64_t limitBytes = cacheLimitBytes());

  /// The entry of `key`, if it is whole and the files that the source included are unchanged.
  [[nodiscard]] std::optional<Entry> find(const std::string& key) const;

  /// Moves `object` into the cache. `included` are the files beside the source that it depends on. Error: the
  /// folder cannot be written.
  Result<Entry> store(const std::string& key, const std::filesystem::path& object, const std::string& output,
                      const std::vector<std::string>& included) const;

  /// Removes the entries that this process has found or stored and that are not as they were: a kernel may
  /// have put other code there, which the next run would load.
  static void removeChanged();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  void evict() const;
  std::filesystem::path folder_;
  std::int64_t limitBytes_;
};

/// A folder for caches that can be written: `wanted`, else one in the system's temporary folder that belongs
/// to this user alone. `note` says why it is not the wanted one.
struct CachePlace {
  std::filesystem::path folder;
  std::string note;
};
Result<CachePlace> usableCacheFolder(const std::filesystem::path& wanted);
Result<CachePlace> temporaryCacheFolder(const std::string& why);

}  // namespace wb
