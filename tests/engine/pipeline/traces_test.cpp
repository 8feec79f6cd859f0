// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/traces.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <signal.h>

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

}  // namespace
}  // namespace wb
