// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/watch.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/process/process_tree.h"
#include "core/base/quantity.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A walk through a folder costs more than a look at processes.
constexpr std::chrono::seconds scratchPeriod{1};
constexpr std::int64_t blockBytes = 512;

struct Taken {
  std::int64_t memoryBytes = 0;
  int threads = 0;
};

/// The number after a key in the text of /proc/PID/status; 0 when it is not there.
std::int64_t numberAfter(const std::string& text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == text.npos ? 0 : std::strtoll(text.c_str() + at + key.size(), nullptr, 10);
}

/// What the files take that live in memory alone and that a process has open (memfd_create), mapped or not.
std::int64_t bytesOfMemoryFiles(pid_t process) {
  std::int64_t bytes = 0;
  std::error_code failed;
  for (auto each = fs::directory_iterator(fmt::format("/proc/{}/fd", process), failed);
       !failed && each != fs::directory_iterator(); each.increment(failed)) {
    std::error_code gone;
    struct stat about {};
    if (fs::read_symlink(each->path(), gone).string().starts_with("/memfd:") &&
        ::stat(each->path().c_str(), &about) == 0)
      bytes += about.st_blocks * blockBytes;
  }
  return bytes;
}

/// Files that are mapped do not count: libraries are shared by all, and are in memory as long as there is
/// room.
void addProcess(Taken& taken, pid_t process) {
  constexpr std::int64_t kibibyte = 1024;
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // Most of a process's memory files are mapped, and must not count twice.
  const std::int64_t shared =
      std::max(numberAfter(text, "\nRssShmem:") * kibibyte, bytesOfMemoryFiles(process));
  const std::int64_t pageTables = numberAfter(text, "\nVmPTE:");
  taken.memoryBytes += (numberAfter(text, "\nRssAnon:") + pageTables) * kibibyte + shared;
  taken.threads += static_cast<int>(numberAfter(text, "\nThreads:"));
}

/// Looks no further once there are more than `mostThreads` (0: no bound), since a fork bomb makes processes
/// faster than anybody counts them.
Taken takenBelow(pid_t root, bool deep, int mostThreads) {
  Taken taken;
  std::vector<pid_t> rest = listedChildrenOf(root);
  while (!rest.empty() && (mostThreads == 0 || taken.threads <= mostThreads)) {
    const pid_t process = rest.back();
    rest.pop_back();
    addProcess(taken, process);
    if (!deep) continue;
    const std::vector<pid_t> children = listedChildrenOf(process);
    rest.insert(rest.end(), children.begin(), children.end());
  }
  return taken;
}

/// What the files below a folder take on the disk.
std::int64_t bytesBelow(const std::string& folder) {
  std::int64_t bytes = 0;
  std::error_code failed;
  for (auto each = fs::recursive_directory_iterator(folder, failed);
       !failed && each != fs::recursive_directory_iterator(); each.increment(failed)) {
    struct stat about {};
    if (::lstat(each->path().c_str(), &about) == 0) bytes += about.st_blocks * blockBytes;
  }
  return bytes;
}

}  // namespace

Watch::Watch(const Sandbox& sandbox, pid_t root, std::string scratch)
    : limits_(sandbox.limits), root_(root), scratch_(std::move(scratch)), deep_(sandbox.mayStartProcesses) {}

bool Watch::isNeeded() const {
  return limits_.memoryBytes > 0 || limits_.threads > 0 || limits_.wallSeconds > 0 ||
         (limits_.scratchBytes > 0 && !scratch_.empty());
}

std::optional<std::string> Watch::over() {
  const auto now = Clock::now();
  if (limits_.wallSeconds > 0 && std::chrono::duration<double>(now - started_).count() > limits_.wallSeconds)
    return fmt::format("time ({})", formatSeconds(limits_.wallSeconds));
  if (limits_.memoryBytes > 0 || limits_.threads > 0) {
    const Taken taken = takenBelow(root_, deep_, limits_.threads);
    if (limits_.memoryBytes > 0 && taken.memoryBytes > limits_.memoryBytes)
      return fmt::format("memory ({})", formatBytes(static_cast<double>(limits_.memoryBytes)));
    if (limits_.threads > 0 && taken.threads > limits_.threads)
      return fmt::format("threads and processes ({})", limits_.threads);
  }
  if (limits_.scratchBytes > 0 && !scratch_.empty() && now - scratchSeen_ >= scratchPeriod) {
    const std::int64_t bytes = bytesBelow(scratch_);
    scratchSeen_ = Clock::now();
    if (bytes > limits_.scratchBytes)
      return fmt::format("the scratch folder ({})", formatBytes(static_cast<double>(limits_.scratchBytes)));
  }
  return std::nullopt;
}

}  // namespace wb
