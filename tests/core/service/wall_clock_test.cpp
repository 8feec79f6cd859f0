// SPDX-License-Identifier: Apache-2.0
#include "core/service/wall_clock.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(SteadyStamps, FollowTheBeginningAndNotTheWallClock) {
  const SteadyStamps longAgo(1000);
  const double first = longAgo.now(), second = longAgo.now();
  EXPECT_GE(first, 1000);
  EXPECT_GE(second, first);
  EXPECT_LT(second, secondsNow() / 2) << "the wall clock says something else by decades";
  EXPECT_GE(longAgo.seconds(), second - longAgo.began());
}

TEST(SteadyStamps, GoOnWithWhatBeganBeforeThisProcess) {
  EXPECT_GE(SteadyStamps::resumed(1000).began(), secondsNow() - 60) << "it has waited ever since";
  const double ahead = secondsNow() + 1e6;
  EXPECT_EQ(SteadyStamps::resumed(ahead).began(), ahead)
      << "somebody has set the clock back; no time is below 0";
}

}  // namespace
}  // namespace wb
