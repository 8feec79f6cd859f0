// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/cache_limit.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/process/process_start.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr std::int64_t defaultGibibytes = 4, mostGibibytes = 1 << 20;
constexpr auto inUse = std::chrono::hours(1);

/// What is removed as a whole: a folder, or all files of one stem.
struct Entry {
  std::vector<fs::path> paths;
  std::int64_t bytes = 0;
  fs::file_time_type used = fs::file_time_type::min();
};

void addFile(Entry& entry, const fs::directory_entry& file) {
  std::error_code failed;
  if (const auto bytes = file.file_size(failed); !failed) entry.bytes += static_cast<std::int64_t>(bytes);
  if (const auto time = file.last_write_time(failed); !failed) entry.used = std::max(entry.used, time);
}

/// Files of one stem belong together, as a suite's index and its values do.
void addEntries(std::map<fs::path, Entry>& entries, const fs::path& folder) {
  std::error_code failed, inner;
  for (const auto& each : fs::directory_iterator(folder, failed)) {
    const std::string name = each.path().filename().string();
    if (name.starts_with(".") || each.is_symlink(inner)) continue;
    if (each.is_directory(inner)) {
      Entry& entry = entries[each.path()];
      entry.paths.push_back(each.path());
      for (auto file = fs::recursive_directory_iterator(each.path(), inner);
           !inner && file != fs::recursive_directory_iterator(); file.increment(inner))
        if (file->is_regular_file(inner)) addFile(entry, *file);
    } else if (each.is_regular_file(inner) && each.path().extension() != ".lock") {
      Entry& entry = entries[folder / each.path().stem()];
      entry.paths.push_back(each.path());
      addFile(entry, each);
    }
  }
}

}  // namespace

std::int64_t cacheLimitBytes() {
  const std::string text = startVariable("WARPBENCH_CACHE_GIB");
  std::int64_t gibibytes = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), gibibytes);
  const bool whole = failed == std::errc() && end == text.data() + text.size();
  return gibibyte * (whole && gibibytes > 0 ? std::min(gibibytes, mostGibibytes) : defaultGibibytes);
}

void keepCacheWithin(const fs::path& cache, std::int64_t limitBytes) {
  std::map<fs::path, Entry> entries;
  for (const char* name : {"build", "cubin", "suites", "pch"}) addEntries(entries, cache / name);
  std::int64_t total = 0;
  std::vector<const Entry*> oldestFirst;
  for (const auto& [name, entry] : entries) {
    total += entry.bytes;
    oldestFirst.push_back(&entry);
  }
  if (total <= limitBytes) return;
  std::sort(oldestFirst.begin(), oldestFirst.end(),
            [](const Entry* a, const Entry* b) { return a->used < b->used; });
  const auto lately = fs::file_time_type::clock::now() - inUse;
  for (const Entry* entry : oldestFirst) {
    if (total <= limitBytes / 10 * 9 || entry->used > lately) return;
    std::error_code failed;
    for (const fs::path& path : entry->paths) fs::remove_all(path, failed);
    total -= entry->bytes;
  }
}

}  // namespace wb
