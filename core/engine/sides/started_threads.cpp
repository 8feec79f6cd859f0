// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/started_threads.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace wb {

namespace {

constexpr const char* folder = "/proc/self/task";

/// Each thread is a folder of /proc, and each folder adds a link to its parent.
std::size_t countThreads() {
  struct stat status {};
  return ::stat(folder, &status) == 0 && status.st_nlink > 2 ? status.st_nlink - 2 : 0;
}

std::string nameOf(int thread) {
  std::ifstream file(std::string(folder) + "/" + std::to_string(thread) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

bool isOfRuntime(std::string_view name) {
  return name.starts_with("cuda") || name.starts_with("pt_") || name.starts_with("CUPTI");
}

std::set<int> threadsNow() {
  std::set<int> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    all.insert(std::atoi(entry.path().filename().c_str()));
  return all;
}

void StartedThreads::before() {
  referenceEnds();
  if (countThreads() != known_.size()) known_ = threadsNow();
}

void StartedThreads::after() {
  if (countThreads() == known_.size()) return;
  std::set<int> now = threadsNow();
  for (const int thread : now)
    if (!known_.contains(thread)) started_.insert(thread);
  known_ = std::move(now);
}

void StartedThreads::forget() {
  started_.clear();
  isReferences_ = false;
  turns_ = 0;
  usedInTurns_.clear();
}

void StartedThreads::referenceBegins() {
  referenceEnds();
  if (started_.empty()) return;
  isReferences_ = true;
  usedBefore_ = used();
  began_ = Clock::now();
}

void StartedThreads::referenceEnds() {
  if (!std::exchange(isReferences_, false)) return;
  turns_ += std::chrono::duration<double>(Clock::now() - began_).count();
  for (const auto& [thread, seconds] : used()) {
    const auto before = usedBefore_.find(thread);
    if (before != usedBefore_.end()) usedInTurns_[thread] += seconds - before->second;
  }
}

double StartedThreads::takeShare() {
  referenceEnds();
  double seconds = 0;
  // Threads get their names a moment after they began, so these are read as late as possible.
  for (const auto& [thread, used] : std::exchange(usedInTurns_, {}))
    if (!isOfRuntime(nameOf(thread))) seconds += used;
  const double turns = std::exchange(turns_, 0);
  return turns > 0 ? seconds / turns : 0;
}

std::map<int, double> StartedThreads::used() const {
  std::map<int, double> seconds;
  for (const int thread : started_) {
    timespec time{};
    // This is how the system numbers the clock of a thread's processor time; the C library has no name for
    // it.
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6U);
    if (::clock_gettime(clock, &time) == 0)
      seconds[thread] = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return seconds;
}

}  // namespace wb
