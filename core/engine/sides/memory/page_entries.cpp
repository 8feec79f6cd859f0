// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/page_entries.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>

namespace wb {

std::vector<std::uint64_t> pageEntries(std::uintptr_t begin, std::uintptr_t end,
                                       std::optional<pid_t> process) {
  const std::string path =
      process ? "/proc/" + std::to_string(*process) + "/pagemap" : std::string("/proc/self/pagemap");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = begin / bytes, last = (end + bytes - 1) / bytes;
  std::vector<std::uint64_t> entries(last - first);
  std::size_t done = 0;
  // The system gives no more than it has room for at a time.
  while (done < entries.size()) {
    const ssize_t got = ::pread(file, entries.data() + done, (entries.size() - done) * sizeof entries[0],
                                static_cast<off_t>((first + done) * sizeof entries[0]));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got) / sizeof entries[0];
  }
  ::close(file);
  entries.resize(done);
  return entries;
}

bool hasItsPages(std::uintptr_t begin, std::size_t bytes, std::optional<pid_t> process) {
  constexpr std::uintptr_t fewest = 8, most = 512, mostMissing = 8;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (begin + page - 1) / page, last = (begin + bytes) / page;
  if (last < first + fewest) return true;
  const std::uintptr_t count = std::min(most, last - first);
  const std::uintptr_t from = first + std::random_device{}() % (last - first - count + 1);
  const std::vector<std::uint64_t> entries = pageEntries(from * page, (from + count) * page, process);
  const auto missing = std::count_if(entries.begin(), entries.end(), [](std::uint64_t each) {
    return (each & (pageIsThere | pageIsAway)) == 0 || (each & pageIsFiles) != 0;
  });
  return static_cast<std::size_t>(missing) * mostMissing <= entries.size();
}

}  // namespace wb
