// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/messages.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/base/worked_seconds.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t mostDescriptors = 16;
constexpr std::chrono::milliseconds lookAgain{50};

Error broken(const std::string& what) {
  return Error{Stage::check, "the kernel's process does not answer: " + what};
}

/// Waits until the socket can be read or written.
Result<void> ready(int socket, short events, Steady::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
    pollfd wanted{socket, events, 0};
    const int got = ::poll(&wanted, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30)));
    if (got > 0) return {};
    if (got == 0) return broken("it took too long");
    if (errno != EINTR) return broken(std::generic_category().message(errno));
  }
}

/// Room for the descriptors of a message.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(mostDescriptors * sizeof(int))> bytes{};
};

Result<std::size_t> sendSome(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors) {
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(first), descriptors.data(), descriptors.size_bytes());
  }
  const ssize_t sent = ::sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) return static_cast<std::size_t>(sent);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
  return broken(std::generic_category().message(errno));
}

Result<void> receiveAll(int socket, std::span<std::byte> to, std::vector<int>& descriptors,
                        Steady::time_point deadline) {
  while (!to.empty()) {
    WB_DO(ready(socket, POLLIN, deadline));
    iovec part{to.data(), to.size()};
    Control control;
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    const ssize_t got = ::recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return broken(got == 0 ? "it has ended" : std::generic_category().message(errno));
    for (cmsghdr* each = CMSG_FIRSTHDR(&header); each != nullptr; each = CMSG_NXTHDR(&header, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      const std::size_t before = descriptors.size();
      descriptors.resize(before + count);
      std::memcpy(descriptors.data() + before, CMSG_DATA(each), count * sizeof(int));
    }
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace

Result<void> sendMessage(int socket, std::span<const std::byte> message, std::span<const int> descriptors,
                         Steady::time_point deadline) {
  std::vector<std::byte> bytes(sizeof(std::uint64_t));
  const std::uint64_t size = message.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes.insert(bytes.end(), message.begin(), message.end());
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    WB_DO(ready(socket, POLLOUT, deadline));
    WB_TRY(const std::size_t sent, sendSome(socket, rest, descriptors));
    if (sent > 0) descriptors = {};
    rest = rest.subspan(sent);
  }
  return {};
}

bool awaitMessage(int socket, Steady::time_point deadline) {
  return ready(socket, POLLIN, deadline).has_value();
}

bool awaitMessageOf(pid_t process, int socket, Steady::duration idle, Steady::duration most) {
  const auto start = Steady::now();
  auto seen = start;
  double worked = workedSeconds(process);
  while (!awaitMessage(socket, std::min({seen + idle, start + most, Steady::now() + lookAgain}))) {
    const auto now = Steady::now();
    if (const double since = workedSeconds(process); since > worked) worked = since, seen = now;
    if (now >= std::min(seen + idle, start + most)) return false;
  }
  return true;
}

Result<ReceivedMessage> receiveMessage(int socket, std::size_t most, Steady::time_point deadline) {
  ReceivedMessage message;
  std::uint64_t size = 0;
  Result<void> got =
      receiveAll(socket, std::as_writable_bytes(std::span(&size, 1)), message.descriptors, deadline);
  if (got && size > most) got = broken("it says more than it may");
  if (got) {
    message.bytes.resize(size);
    got = receiveAll(socket, message.bytes, message.descriptors, deadline);
  }
  if (got) return message;
  for (const int descriptor : message.descriptors) ::close(descriptor);
  return std::move(got).error();
}

}  // namespace wb
