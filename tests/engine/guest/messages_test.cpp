// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/messages.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>

#include "core/base/worked_seconds.h"

namespace wb {
namespace {

using std::chrono::milliseconds;

/// A process that does something and then sends a byte.
class Sender {
 public:
  explicit Sender(const std::function<void()>& first) {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_.data()) != 0) return;
    pid_ = ::fork();
    if (pid_ != 0) return;
    first();
    const char byte = 1;
    ::_exit(::write(sockets_[1], &byte, 1) == 1 ? 0 : 1);
  }
  ~Sender() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    for (const int socket : sockets_) ::close(socket);
  }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int socket() const { return sockets_[0]; }

 private:
  std::array<int, 2> sockets_{-1, -1};
  pid_t pid_ = -1;
};

void work(double seconds) {
  while (workedSeconds() < seconds) {
  }
}

TEST(Messages, WhoWorksIsAwaitedForLongerThanWhoIsIdle) {
  const Sender sender([] { work(1.5); });
  EXPECT_TRUE(awaitMessageOf(sender.pid(), sender.socket(), milliseconds{1200}, std::chrono::minutes{1}));
}

TEST(Messages, WhoDoesNothingIsNotAwaitedForLong) {
  const Sender sender([] { ::pause(); });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(awaitMessageOf(sender.pid(), sender.socket(), milliseconds{200}, std::chrono::hours{1}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds{200});
}

TEST(Messages, WhoWorksForeverIsNotAwaitedForever) {
  const Sender sender([] { work(1e9); });
  EXPECT_FALSE(awaitMessageOf(sender.pid(), sender.socket(), std::chrono::hours{1}, milliseconds{300}));
}

}  // namespace
}  // namespace wb
