// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files/cache_limit.h"
#include "core/base/result.h"
#include "core/model/builds/builds.h"

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

/// The versions of the libraries that an object needs, or that are here.
struct LibraryVersions {
  /// Of the C library, "2.36", and the C++ library, "libstdc++ 12"; "" where that is not known.
  std::string c, cpp;
};
/// Whether what needs these can be loaded where those are.
[[nodiscard]] bool areEnough(const LibraryVersions& here, const LibraryVersions& needed);

/// What is stored beside a built object.
struct BuildNotes {
  /// What the compiler printed.
  std::string output;
  /// The files beside the source that it depends on.
  std::vector<std::string> included;
  /// The folder of the source; "" where it has none.
  std::filesystem::path folder;
};

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

  /// When all entries together are larger than `limitBytes`, those used longest ago are removed. `here` are
  /// the libraries that objects are built with: a cache may be shared by machines of several ages.
  explicit BuildCache(std::filesystem::path folder, std::int64_t limitBytes = cacheLimitBytes(),
                      LibraryVersions here = {});

  /// The entry of `key`, if it is whole, can be loaded here, and the files that a source in `sourceFolder`
  /// includes are unchanged.
  [[nodiscard]] std::optional<Entry> find(const std::string& key,
                                          const std::filesystem::path& sourceFolder) const;

  /// Moves `object` into the cache. Error: the folder cannot be written.
  Result<Entry> store(const std::string& key, const std::filesystem::path& object,
                      const BuildNotes& notes) const;

  /// An entry as it goes to another machine; nothing where it is not whole.
  [[nodiscard]] std::optional<BuiltFile> packed(const std::string& key) const;
  /// Makes an entry of what another machine has packed, as find() would give it. Error: it is none, is for
  /// other libraries or other included files, or the folder cannot be written.
  Result<Entry> unpack(const std::string& key, const BuiltFile& file,
                       const std::filesystem::path& sourceFolder) const;

  /// Removes the entries that this process has found or stored and that are not as they were: a kernel may
  /// have put other code there, which the next run would load.
  static void removeChanged();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Manifest;
  [[nodiscard]] bool isGood(const Manifest& manifest, const std::filesystem::path& sourceFolder) const;
  Result<Entry> put(const std::string& key, const std::filesystem::path& object,
                    const Manifest& manifest) const;
  void evict() const;
  std::filesystem::path folder_;
  std::int64_t limitBytes_;
  LibraryVersions here_;
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
