// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "core/base/sandbox/call_filter.h"

namespace wb {
namespace {

/// The error of asking for a counter of this thread's page faults; 0 where it is given.
int errorOfCounter() {
  perf_event_attr asked{};
  asked.size = sizeof asked;
  asked.type = PERF_TYPE_SOFTWARE;
  asked.config = PERF_COUNT_SW_PAGE_FAULTS;
  asked.exclude_kernel = 1;
  const long counter = ::syscall(SYS_perf_event_open, &asked, 0, -1, -1, 0);
  if (counter < 0) return errno;
  ::close(static_cast<int>(counter));
  return 0;
}

/// What a process of its own makes of it, since a filter stays for good.
template <class Do>
int inProcess(const Do& what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum Found { asItShould = 0, noFilters = 10, isGiven = 11, otherError = 12, restIsRefused = 13 };

int found(int error) {
  return error == EPERM ? asItShould : error == 0 ? isGiven : otherError;
}

TEST(NoCounters, TheSystemRefusesThemAndNothingElse) {
  const int came = inProcess([] {
    if (!forgoCounters()) return int{noFilters};
    if (::getppid() <= 0 || ::write(STDOUT_FILENO, "", 0) != 0) return int{restIsRefused};
    return found(errorOfCounter());
  });
  if (came == noFilters) GTEST_SKIP() << "this system has no filters of calls";
  EXPECT_EQ(came, asItShould);
}

TEST(NoCounters, NobodyAnswersForTheClocks) {
  constexpr int setCallDispatch = 59, setNameOfThread = PR_SET_NAME;
  const int came = inProcess([] {
    if (!forgoCounters()) return int{noFilters};
    if (::prctl(setNameOfThread, "some") != 0) return int{restIsRefused};
    const auto errorOf = [](int option, unsigned long how) {
      return ::prctl(option, how, 0UL, 0UL, 0UL) == 0 ? 0 : errno;
    };
    const int ofStamp = found(errorOf(PR_SET_TSC, PR_TSC_ENABLE));
    return ofStamp == asItShould ? found(errorOf(setCallDispatch, 0)) : ofStamp;
  });
  if (came == noFilters) GTEST_SKIP() << "this system has no filters of calls";
  EXPECT_EQ(came, asItShould);
}

TEST(NoCounters, ThreadsThatRunAlreadyGetNoneEither) {
  const int came = inProcess([] {
    std::atomic<bool> isFiltered = false;
    int error = 0;
    std::thread other([&] {
      while (!isFiltered) std::this_thread::yield();
      error = errorOfCounter();
    });
    const bool done = static_cast<bool>(forgoCounters());
    isFiltered = true;
    other.join();
    return done ? found(error) : int{noFilters};
  });
  if (came == noFilters) GTEST_SKIP() << "this system has no filters of calls";
  EXPECT_EQ(came, asItShould);
}

}  // namespace
}  // namespace wb
