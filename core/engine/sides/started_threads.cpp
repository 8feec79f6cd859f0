// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/started_threads.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace wb {

namespace {

constexpr const char* folder = "/proc/self/task";

/// Each thread is a folder of /proc, and each folder adds a link to its parent.
std::size_t countThreads() {
  struct stat status {};
  return ::stat(folder, &status) == 0 && status.st_nlink > 2 ? status.st_nlink - 2 : 0;
}

}  // namespace

std::set<int> threadsNow() {
  std::set<int> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    all.insert(std::atoi(entry.path().filename().c_str()));
  return all;
}

void StartedThreads::before() {
  if (countThreads() != known_.size()) known_ = threadsNow();
}

void StartedThreads::after() {
  if (countThreads() == known_.size()) return;
  std::set<int> now = threadsNow();
  for (const int thread : now)
    if (!known_.contains(thread)) started_.insert(thread);
  known_ = std::move(now);
}

}  // namespace wb
