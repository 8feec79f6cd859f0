// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace wb {
namespace {

constexpr const char* everything = "/";
constexpr std::int64_t kilobyte = 1024;

/// The number after a word at the beginning of a line: "MemAvailable:   23 kB", "oom_kill 2".
std::optional<std::uint64_t> numberAfter(const std::filesystem::path& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    std::uint64_t number = 0;
    if (words >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

/// The number of a file that holds one number; nothing for "max".
std::optional<std::int64_t> numberIn(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// The folder of this process's control group (version 2: the line "0::/path").
std::optional<std::filesystem::path> controlGroup(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("0::/"))
      return (root / "sys/fs/cgroup" / line.substr(std::string_view("0::/").size())).lexically_normal();
  return std::nullopt;
}

/// What the group and the groups around it leave; their own cached file pages can be dropped and count as
/// free.
std::optional<std::int64_t> leftInGroups(const std::filesystem::path& root) {
  std::optional<std::filesystem::path> group = controlGroup(root);
  if (!group) return std::nullopt;
  const std::filesystem::path top = (root / "sys/fs/cgroup").lexically_normal();
  std::optional<std::int64_t> least;
  for (std::filesystem::path at = *group; at.native().starts_with(top.native()); at = at.parent_path()) {
    const auto most = numberIn(at / "memory.max"), used = numberIn(at / "memory.current");
    if (most && used) {
      const auto cached =
          static_cast<std::int64_t>(numberAfter(at / "memory.stat", "inactive_file").value_or(0));
      const std::int64_t left = std::max<std::int64_t>(0, *most - std::max<std::int64_t>(0, *used - cached));
      least = least ? std::min(*least, left) : left;
    }
    if (at == at.parent_path()) break;
  }
  return least;
}

}  // namespace

std::optional<std::int64_t> availableMemory(const std::filesystem::path& root) {
  std::optional<std::int64_t> available = leftInGroups(root);
  if (const auto free = numberAfter(root / "proc/meminfo", "MemAvailable:")) {
    const std::int64_t bytes = static_cast<std::int64_t>(*free) * kilobyte;
    available = available ? std::min(*available, bytes) : bytes;
  }
  return available;
}

std::optional<std::uint64_t> outOfMemoryKills(const std::filesystem::path& root) {
  // In a container the system's count may be hidden while the group's is there.
  const auto system = numberAfter(root / "proc/vmstat", "oom_kill");
  const std::optional<std::filesystem::path> group = controlGroup(root);
  const auto own = group ? numberAfter(*group / "memory.events", "oom_kill") : std::nullopt;
  if (!system && !own) return std::nullopt;
  return std::max(system.value_or(0), own.value_or(0));
}

std::optional<std::int64_t> memoryHeldBy(int process) {
  const std::filesystem::path file = "/proc/" + std::to_string(process) + "/status";
  const auto own = numberAfter(file, "RssAnon:"), shared = numberAfter(file, "RssShmem:");
  if (!own || !shared) return std::nullopt;
  return static_cast<std::int64_t>(*own + *shared) * kilobyte;
}

std::optional<std::int64_t> availableMemory() {
  return availableMemory(everything);
}

std::optional<std::uint64_t> outOfMemoryKills() {
  return outOfMemoryKills(everything);
}

}  // namespace wb
