// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/traces.h"

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

}  // namespace
}  // namespace wb
