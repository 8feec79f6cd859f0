// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/caches.h"

#include <algorithm>
#include <utility>

#include "core/base/files/paths.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, std::string_view> contents[] = {
    {"build", "compiled C++ and CUDA extensions"},
    {"catalogue", "torch's operators and their schemas"},
    {"ceilings", "what each card reaches"},
    {"counters", "plans of counters"},
    {"cubin", "compiled raw CUDA"},
    {"pch", "precompiled headers of torch"},
    {"suites", "suites made from torch's own samples"},
    {"walls", "caches of runs inside walls"},
};

std::string_view holds(const std::string& name) {
  for (const auto& [folder, words] : contents)
    if (folder == name) return words;
  return "other files";
}

std::int64_t sizeOf(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(path, failed)) return 0;
  if (fs::is_regular_file(path, failed)) {
    const auto bytes = fs::file_size(path, failed);
    return failed ? 0 : std::int64_t(bytes);
  }
  std::int64_t bytes = 0;
  for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, failed), end;
       !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (!at->is_symlink(ignored) && at->is_regular_file(ignored)) {
      const auto size = at->file_size(ignored);
      if (!ignored) bytes += std::int64_t(size);
    }
  }
  return bytes;
}

}  // namespace

std::vector<Cache> caches() {
  std::vector<Cache> found;
  std::error_code failed;
  for (fs::directory_iterator at(cacheFolder(), failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    found.push_back({name, holds(name), at->path(), sizeOf(at->path())});
  }
  std::ranges::sort(found, [](const Cache& a, const Cache& b) {
    return std::pair(-a.bytes, a.name) < std::pair(-b.bytes, b.name);
  });
  return found;
}

std::int64_t bytesOf(const std::vector<Cache>& caches) {
  std::int64_t bytes = 0;
  for (const Cache& cache : caches) bytes += cache.bytes;
  return bytes;
}

std::int64_t emptyCaches() {
  const std::vector<Cache> before = caches();
  for (const Cache& cache : before) {
    std::error_code ignored;
    fs::remove_all(cache.folder, ignored);
  }
  return bytesOf(before) - bytesOf(caches());
}

}  // namespace wb
