// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace wb {

std::optional<SystemProcess> processState(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/stat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 512> text{};
  const ssize_t got = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  // The text is "7 (name) S 1 …". A name may hold anything, so the last bracket counts.
  const char* end = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
  SystemProcess state;
  // NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers
  if (end == nullptr || std::sscanf(end + 1, " %c %d", &state.state, &state.parent) != 2) return std::nullopt;
  return state;
}

std::vector<pid_t> childrenOf(pid_t process) {
  std::vector<pid_t> found;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = ::readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): a folder of our own
    const auto each = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (each <= 0) continue;
    if (const auto state = processState(each); state && state->parent == process) found.push_back(each);
  }
  ::closedir(folder);
  return found;
}

std::vector<pid_t> listedChildrenOf(pid_t process) {
  const std::string threads = "/proc/" + std::to_string(process) + "/task";
  DIR* folder = ::opendir(threads.c_str());
  if (folder == nullptr) return {};
  std::vector<pid_t> found;
  bool listed = true;
  while (const dirent* entry = ::readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): a folder of our own
    if (*entry->d_name == '.') continue;
    const std::string path = threads + "/" + entry->d_name + "/children";
    std::FILE* file = std::fopen(path.c_str(), "re");
    // A thread may have ended; but where the first one has no list, the kernel keeps none.
    if (file == nullptr && std::strtol(entry->d_name, nullptr, 10) == process) listed = false;
    if (file == nullptr) continue;
    int child = 0;
    while (std::fscanf(file, "%d", &child) == 1) found.push_back(child);  // NOLINT(cert-err34-c)
    std::fclose(file);
  }
  ::closedir(folder);
  return listed ? found : childrenOf(process);
}

bool stoppedAbove(pid_t process) {
  // Processes come and go while this looks, so the way up must end somewhere.
  constexpr int deepest = 64;
  for (int i = 0; i < deepest && process > 1; ++i) {
    const auto state = processState(process);
    if (!state) return false;
    if (state->state == 'T' || state->state == 't') return true;
    process = state->parent;
  }
  return false;
}

}  // namespace wb
