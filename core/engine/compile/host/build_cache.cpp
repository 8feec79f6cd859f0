// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/build_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/process/process_start.h"
#include "core/engine/compile/build_exchange.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t maxObjectBytes = std::size_t{1} << 30;
constexpr int manifestVersion = 2;
constexpr std::string_view scratchPrefix = ".scratch-";

std::string hashOfFile(const fs::path& path) {
  const auto content = readFile(path, maxObjectBytes);
  return content ? contentHash({*content}) : std::string{};
}

/// The name of an object is the hash of its content.
std::string nameOf(const std::string& content) {
  return contentHash({content}) + ".so";
}

Error cannotWrite(const fs::path& folder, const std::error_code& why) {
  const bool isFull = why == std::errc::no_space_on_device;
  return Error{Stage::compile, fmt::format("cannot write to {}: {}", folder.string(), why.message()),
               fmt::format("{}set WARPBENCH_CACHE to a folder that can be written",
                           isFull ? "free some space, or " : "")};
}

std::error_code lastError() {
  return {errno, std::generic_category()};
}

/// Creates and removes a small file, since permission bits say nothing about root, read-only mounts and full
/// disks.
std::error_code tryToWrite(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return failed;
  std::string name = (folder / ".try-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return lastError();
  const std::string block(4096, 'x');
  if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size())) failed = lastError();
  close(file);
  unlink(name.c_str());
  return failed;
}

/// The objects of the entries that this process has used.
std::map<fs::path, std::string> used;
std::mutex guardOfUsed;

void remember(const fs::path& entry, const std::string& object) {
  const std::lock_guard lock(guardOfUsed);
  used[entry] = object;
}

}  // namespace

bool areEnough(const LibraryVersions& here, const LibraryVersions& needed) {
  return !isNewerLibrary(needed.c, here.c) && !isNewerLibrary(needed.cpp, here.cpp);
}

/// Included files are known by their paths from the folder of the source, which is elsewhere on another
/// machine, or is another copy of it.
struct BuildCache::Manifest {
  /// The object's file name, "<content hash>.so", and the compiler's output.
  std::string object, output;
  /// What it was built with.
  LibraryVersions needs;
  /// The path and hash of each included file.
  std::vector<std::pair<std::string, std::string>> included;

  static std::optional<Manifest> read(const std::string& text) {
    try {
      const auto json = nlohmann::json::parse(text);
      if (json.at("version").get<int>() != manifestVersion) return std::nullopt;
      Manifest m{json.at("object").get<std::string>(),
                 json.at("output").get<std::string>(),
                 {json.at("c").get<std::string>(), json.at("cpp").get<std::string>()},
                 {}};
      for (const auto& pair : json.at("included"))
        m.included.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
      return m;
    } catch (const nlohmann::json::exception&) {
      return std::nullopt;  // the file is damaged or not ours, so the kernel is built anew
    }
  }
  static std::optional<Manifest> of(const fs::path& entry) {
    const auto text = readFile(entry / "manifest.json");
    return text ? read(*text) : std::nullopt;
  }

  [[nodiscard]] std::string text() const {
    nlohmann::json json{{"version", manifestVersion}, {"object", object},
                        {"output", output},           {"c", needs.c},
                        {"cpp", needs.cpp},           {"included", nlohmann::json::array()}};
    for (const auto& [path, hash] : included) json["included"].push_back({path, hash});
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
};

Result<ScratchFolder> ScratchFolder::make(const fs::path& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  std::string name = (parent / (std::string(scratchPrefix) + "XXXXXX")).string();
  if (failed) return cannotWrite(parent, failed);
  if (mkdtemp(name.data()) == nullptr) return cannotWrite(parent, lastError());
  // As long as this process lives, no other takes the folder for a leftover.
  const int lock = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock >= 0) flock(lock, LOCK_SH);
  return ScratchFolder{fs::path{name}, lock};
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void removeScratchLeftovers(const fs::path& parent) {
  // A folder that is made and not yet locked looks like a leftover.
  constexpr auto youth = std::chrono::minutes(1);
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(parent, failed)) {
    if (!entry.path().filename().string().starts_with(scratchPrefix)) continue;
    if (fs::file_time_type::clock::now() - fs::last_write_time(entry.path(), failed) < youth) continue;
    const int lock = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) continue;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), failed);
    close(lock);
  }
}

BuildCache::BuildCache(fs::path folder, std::int64_t limitBytes, LibraryVersions here)
    : folder_(std::move(folder)), limitBytes_(limitBytes), here_(std::move(here)) {}

bool BuildCache::isGood(const Manifest& manifest, const fs::path& sourceFolder) const {
  return areEnough(here_, manifest.needs) &&
         std::all_of(manifest.included.begin(), manifest.included.end(),
                     [&](const auto& file) { return hashOfFile(sourceFolder / file.first) == file.second; });
}

std::optional<BuildCache::Entry> BuildCache::find(const std::string& key,
                                                  const fs::path& sourceFolder) const {
  const fs::path entry = folder_ / key;
  auto manifest = Manifest::of(entry);
  if (!manifest) return std::nullopt;
  const fs::path object = entry / manifest->object;
  if (hashOfFile(object) + ".so" != manifest->object || !isGood(*manifest, sourceFolder)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(entry / "manifest.json", fs::file_time_type::clock::now(), ignored);
  remember(entry, manifest->object);
  return Entry{object, std::move(manifest->output)};
}

std::optional<BuiltFile> BuildCache::packed(const std::string& key) const {
  const auto manifest = Manifest::of(folder_ / key);
  auto content =
      manifest ? readFile(folder_ / key / manifest->object, maxObjectBytes) : Result<std::string>("");
  if (!manifest || !content || nameOf(*content) != manifest->object) return std::nullopt;
  BuiltFile file{key, manifest->text(), *std::move(content), {}};
  file.hash = hashOf(file);
  return file;
}

Result<BuildCache::Entry> BuildCache::unpack(const std::string& key, const BuiltFile& file,
                                             const fs::path& sourceFolder) const {
  const auto manifest = Manifest::read(file.about);
  if (!manifest || hashOf(file) != file.hash || nameOf(file.content) != manifest->object)
    return Error{Stage::compile, "what another machine has built is damaged"};
  if (!isGood(*manifest, sourceFolder))
    return Error{Stage::compile, "what another machine has built does not fit this one"};
  WB_TRY(auto scratch, ScratchFolder::make(folder_));
  WB_DO(writeFileAtomically(scratch.path() / "given.so", file.content));
  return put(key, scratch.path() / "given.so", *manifest);
}

void BuildCache::removeChanged() {
  const std::lock_guard lock(guardOfUsed);
  std::error_code ignored;
  for (const auto& [entry, object] : used) {
    const auto manifest = Manifest::of(entry);
    const bool isSame =
        manifest && manifest->object == object && hashOfFile(entry / object) + ".so" == object;
    if (!isSame) fs::remove_all(entry, ignored);
  }
  used.clear();
}

Result<BuildCache::Entry> BuildCache::store(const std::string& key, const fs::path& object,
                                            const BuildNotes& notes) const {
  Manifest manifest{hashOfFile(object) + ".so", notes.output, here_, {}};
  for (const auto& path : notes.included) {
    const std::string own =
        notes.folder.empty() ? path : fs::path(path).lexically_relative(notes.folder).string();
    manifest.included.emplace_back(own.empty() ? path : own, hashOfFile(path));
  }
  return put(key, object, manifest);
}

Result<BuildCache::Entry> BuildCache::put(const std::string& key, const fs::path& object,
                                          const Manifest& manifest) const {
  WB_TRY(auto scratch, ScratchFolder::make(folder_));
  const fs::path fresh = scratch.path() / "entry", entry = folder_ / key;
  std::error_code failed;
  fs::create_directory(fresh, failed);
  if (!failed) fs::rename(object, fresh / manifest.object, failed);
  if (failed) return cannotWrite(folder_, failed);
  WB_DO(writeFileAtomically(fresh / "manifest.json", manifest.text()));
  fs::rename(fresh, entry, failed);
  if (failed) {
    // Another worker was first, or an old entry is there: take its place.
    std::error_code ignored;
    fs::rename(entry, scratch.path() / "old", ignored);
    fs::rename(fresh, entry, failed);
  }
  if (failed && !fs::exists(entry / manifest.object)) return cannotWrite(entry, failed);
  evict();
  remember(entry, manifest.object);
  return Entry{entry / manifest.object, manifest.output};
}

void BuildCache::evict() const {
  struct Used {
    fs::file_time_type time;
    fs::path path;
    std::int64_t bytes;
  };
  std::vector<Used> entries;
  std::int64_t total = 0;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder_, failed)) {
    const auto time = fs::last_write_time(entry.path() / "manifest.json", failed);
    if (failed) continue;
    std::int64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(entry.path(), failed))
      bytes += static_cast<std::int64_t>(file.file_size(failed));
    total += bytes;
    entries.push_back({time, entry.path(), bytes});
  }
  if (total <= limitBytes_) return;
  std::sort(entries.begin(), entries.end(), [](const Used& a, const Used& b) { return a.time < b.time; });
  entries.pop_back();  // the newest entry is in use
  for (const auto& entry : entries) {
    if (total <= limitBytes_ / 10 * 9) return;
    fs::remove_all(entry.path, failed);
    total -= entry.bytes;
  }
}

namespace {

/// The user's temporary folder where it exists; else the system's.
fs::path temporaryFolder() {
  std::error_code failed;
  const fs::path wanted = startVariable("TMPDIR");
  return wanted.is_absolute() && fs::is_directory(wanted, failed) ? wanted : fs::path("/tmp");
}

}  // namespace

Result<CachePlace> usableCacheFolder(const fs::path& wanted) {
  const auto failed = tryToWrite(wanted);
  if (!failed) return CachePlace{wanted, {}};
  return temporaryCacheFolder(fmt::format("{} cannot be written ({})", wanted.string(), failed.message()));
}

Result<CachePlace> temporaryCacheFolder(const std::string& why) {
  const fs::path base = temporaryFolder();
  const fs::path folder = base / fmt::format("warpbench-{}", getuid());
  // Libraries are loaded from this folder, so nobody else may be able to put one there.
  struct stat status {};
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return cannotWrite(base, lastError());
  if (lstat(folder.c_str(), &status) != 0) return cannotWrite(folder, lastError());
  if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || (status.st_mode & 0077) != 0)
    return Error{Stage::compile, folder.string() + " belongs to somebody else or is open to others",
                 "remove it, or set WARPBENCH_CACHE to a folder that can be written"};
  if (const auto error = tryToWrite(folder)) return cannotWrite(folder, error);
  return CachePlace{folder, fmt::format("{}; built kernels are kept in {}", why, folder.string())};
}

}  // namespace wb
