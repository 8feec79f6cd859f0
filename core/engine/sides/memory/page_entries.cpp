// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/page_entries.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

namespace wb {

std::vector<std::uint64_t> pageEntries(std::uintptr_t begin, std::uintptr_t end) {
  const int file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
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

}  // namespace wb
