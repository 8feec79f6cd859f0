// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/readable.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <random>

namespace wb {

bool isReadable(const void* memory, std::int64_t bytes, std::uint64_t seed) {
  constexpr int places = 16;
  std::array<int, 2> pipe{};
  if (bytes <= 0 || ::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return true;
  std::mt19937_64 random(seed);
  bool isThere = true;
  for (int i = 0; i < places && isThere; ++i) {
    const std::uint64_t drawn = random() % static_cast<std::uint64_t>(bytes);
    const std::uint64_t at = i == 0 ? 0 : i == 1 ? static_cast<std::uint64_t>(bytes) - 1 : drawn;
    isThere = ::write(pipe[1], static_cast<const char*>(memory) + at, 1) == 1 || errno != EFAULT;
  }
  ::close(pipe[0]);
  ::close(pipe[1]);
  return isThere;
}

void readPages(const void* memory, std::int64_t bytes) {
  const auto page = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  const auto* const begin = static_cast<const volatile char*>(memory);
  for (std::int64_t at = 0; at < bytes; at += page) (void)begin[at];
  if (bytes > 0) (void)begin[bytes - 1];
}

}  // namespace wb
