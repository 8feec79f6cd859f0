// SPDX-License-Identifier: Apache-2.0
// A copy of this process from which guests can be forked: what it has of this one, and when it wakes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "core/base/process/guest_start.h"

namespace wb {
namespace {

using Seen = std::array<char, 6>;

/// What a copy sees of itself once it was woken; it does not return.
[[noreturn]] void tellAndEnd(int descriptor) {
  constexpr int neverWoken = 7;
  if (!awaitJudge()) ::_exit(neverWoken);
  const char* const home = std::getenv("HOME");
  const Seen seen{
      std::getenv("SOME_API_TOKEN") == nullptr ? 'y' : 'n',
      home != nullptr && std::string_view(home) == "/somewhere" ? 'y' : 'n',
      ::fcntl(descriptor, F_GETFD) < 0 ? 'y' : 'n',
      ::prctl(PR_GET_DUMPABLE) == 0 ? 'y' : 'n',
      std::signal(SIGUSR1, SIG_IGN) == SIG_DFL ? 'y' : 'n',
      ::getpgid(0) == ::getpid() ? 'y' : 'n',
  };
  ::_exit(::write(guestSocket, seen.data(), seen.size()) == seen.size() ? 0 : 1);
}

int exitCodeOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ParentCopy, HasWhatAGuestMayHaveAndSleepsUntilItIsNeeded) {
  ::setenv("SOME_API_TOKEN", "secret", 1);
  ::setenv("HOME", "/somewhere", 1);
  std::signal(SIGUSR1, [](int) {});
  const int nothing = ::open("/dev/null", O_RDONLY), descriptor = ::fcntl(nothing, F_DUPFD, 20);
  ASSERT_GE(descriptor, 20);
  const int isOpen = ::prctl(PR_GET_DUMPABLE);
  const Result<std::optional<ParentOfGuests>> copy = copyAsParentOfGuests();
  ASSERT_TRUE(copy) << describe(copy.error());
  if (!*copy) tellAndEnd(descriptor);
  const ParentOfGuests there = **copy;
  ::close(nothing);
  ::close(descriptor);
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE), isOpen) << "this process is as open as it was";
  EXPECT_EQ(::waitpid(there.pid, nullptr, WNOHANG), 0) << "it sleeps";
  ASSERT_EQ(::write(there.socket, "!", 1), 1);
  Seen seen{};
  ASSERT_EQ(::read(there.socket, seen.data(), seen.size()), static_cast<ssize_t>(seen.size()));
  EXPECT_EQ(std::string_view(seen.data(), seen.size()), "yyyyyy");
  EXPECT_EQ(exitCodeOf(there.pid), 0);
  ::close(there.socket);
}

TEST(ParentCopy, EndsWithItsJudge) {
  const Result<std::optional<ParentOfGuests>> copy = copyAsParentOfGuests();
  ASSERT_TRUE(copy) << describe(copy.error());
  if (!*copy) tellAndEnd(-1);
  ::close((*copy)->socket);
  EXPECT_EQ(exitCodeOf((*copy)->pid), 7);
}

}  // namespace
}  // namespace wb
