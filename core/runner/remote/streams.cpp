// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace wb {

void setNonBlocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

std::optional<std::string> readSome(int descriptor) {
  std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  ssize_t got = 0;
  do got = ::read(descriptor, buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return std::string();
  if (got <= 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(got));
}

std::optional<std::size_t> writeSome(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return std::nullopt;
    }
  }
  return done;
}

std::optional<std::string> readLine(int descriptor, std::size_t longest) {
  std::string line;
  while (line.size() < longest) {
    char next = 0;
    const ssize_t got = ::read(descriptor, &next, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1) return std::nullopt;
    if (next == '\n') return line;
    line += next;
  }
  return std::nullopt;
}

}  // namespace wb
