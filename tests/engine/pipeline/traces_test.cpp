// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/traces.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <numeric>

namespace wb {
namespace {

using testing::Contains;
using testing::Not;

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ASSERT_EQ(::sigaction(signal, &action, nullptr), 0);
}

TEST(Traces, AHandlingThatWasChangedIsPutBackAndNamed) {
  const Traces before;
  handle(SIGUSR2, [](int) {});
  EXPECT_THAT(before.putBack({}).changed, Contains("the handling of SIGUSR2"));
  struct sigaction now {};
  ASSERT_EQ(::sigaction(SIGUSR2, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

// The C library leaves a flag behind whenever a handling is set; NVRTC sets handlers and puts them back.
TEST(Traces, AHandlingThatIsAsItWasIsNoChange) {
  const Traces before;
  handle(SIGURG, [](int) {});
  handle(SIGURG, SIG_DFL);
  EXPECT_THAT(before.putBack({}).changed, Not(Contains("the handling of SIGURG")));
}

// As torch's own operators leave them that are compiled with NVRTC, i0 for one: a reference runs them, too.
TEST(Traces, FlagsOfAHandlerThatIsNotThereAreNoChange) {
  const auto setFlags = [](int signal, int flags) {
    struct sigaction action {};
    ASSERT_EQ(::sigaction(signal, nullptr, &action), 0);
    action.sa_flags = flags;
    ASSERT_EQ(::sigaction(signal, &action, nullptr), 0);
  };
  handle(SIGXFSZ, SIG_IGN);
  const Traces before;
  setFlags(SIGTERM, SA_RESTART);
  setFlags(SIGXFSZ, SA_RESTART);
  setFlags(SIGCHLD, SA_NOCLDWAIT);
  EXPECT_THAT(before.putBack({}).changed, testing::ElementsAre("the handling of SIGCHLD"));
  struct sigaction now {};
  ASSERT_EQ(::sigaction(SIGXFSZ, nullptr, &now), 0);
  EXPECT_EQ(now.sa_flags & SA_RESTART, 0);
  handle(SIGXFSZ, SIG_DFL);
}

// Triton's library, loaded by a kernel, sets handlers when it compiles; a library of that name stands in for
// it.
TEST(Traces, AHandlerOfTritonsCompilerIsPutBackAndNobodyBlamed) {
  void* library = ::dlopen(WB_TRITON_STAND_IN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto handler = reinterpret_cast<void (*)(int)>(::dlsym(library, "handlerOfTriton"));
  ASSERT_NE(handler, nullptr);
  const Traces before;
  handle(SIGXCPU, handler);
  handle(SIGUSR1, [](int) {});
  EXPECT_THAT(before.putBack({}).changed,
              testing::AllOf(Not(Contains("the handling of SIGXCPU")), Contains("the handling of SIGUSR1")));
  struct sigaction now {};
  ASSERT_EQ(::sigaction(SIGXCPU, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  ::dlclose(library);
}

double all(const Traces::Worked& worked) {
  return std::accumulate(worked.begin(), worked.end(), 0.0,
                         [](double sum, const auto& each) { return sum + each.second; });
}

// A child sleeps, and its own child works for a tenth of a second and sleeps then.
TEST(Traces, WhatAChildOfAChildWorksIsCountedWhereItSleepsAgain) {
  const Traces before;
  std::array<int, 2> done{};
  ASSERT_EQ(::pipe(done.data()), 0);
  const double atFirst = all(before.worked());
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t other = ::fork();
    if (other == 0) {
      timespec used{};
      while (used.tv_sec == 0 && used.tv_nsec < 100'000'000) ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
      (void)!::write(done[1], "x", 1);
    }
    for (;;) ::pause();
  }
  char word = 0;
  ASSERT_EQ(::read(done[0], &word, 1), 1);
  EXPECT_GT(all(before.worked()) - atFirst, 0.09);
  for (const auto& [process, seconds] : before.worked())
    if (process > 0) ::kill(process, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0) continue;
  for (const int end : done) ::close(end);
}

}  // namespace
}  // namespace wb
