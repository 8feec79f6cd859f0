// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/thread_team.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "core/engine/sides/process/one_thread.h"

namespace wb {
namespace {

TEST(ThreadTeam, OneThreadHasNoneToBegin) {
  const OneThread alone;
  EXPECT_EQ(teamSeconds(), 0);
  EXPECT_FALSE(isTeamSlow(0));
}

TEST(ThreadTeam, SeveralTakeTime) {
  const int before = at::get_num_threads();
  at::set_num_threads(2);
  EXPECT_GT(teamSeconds(), 0);
  EXPECT_FALSE(isTeamSlow(1)) << "it takes less than three seconds";
  at::set_num_threads(before);
}

}  // namespace
}  // namespace wb
