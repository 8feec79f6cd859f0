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

/// A private folder below `parent`, removed at the end.
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
  int lock_ = -1;  ///< tells that its process lives
};

/// Removes scratch folders below `parent` whose processes were killed.
void removeScratchLeftovers(const std::filesystem::path& parent);

/// Built kernels by the hash of all that went into them. Many processes may use one folder: entries appear
/// and go by renaming. An entry is a folder with the shared object, named by its own content, and
/// manifest.json.
class BuildCache {
 public:
  struct Entry {
    std::filesystem::path object;  ///< the shared object
    std::string output;            ///< what the compiler printed: warnings, to be shown again
  };

  /// `limitBytes`: the entries used longest ago go when all together are larger.
  explicit BuildCache(std::filesystem::path folder, std::int64_t limitBytes = cacheLimitBytes());

  /// Entry of `key`, if it is whole and the files that the source included are unchanged.
  [[nodiscard]] std::optional<Entry> find(const std::string& key) const;

  /// Moves `object` into the cache. `included`: files beside the source that it depends on. Errors: the
  /// folder cannot be written.
  Result<Entry> store(const std::string& key, const std::filesystem::path& object, const std::string& output,
                      const std::vector<std::string>& included) const;

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
