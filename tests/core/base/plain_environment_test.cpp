// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/plain_environment.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(PlainEnvironment, HoldsWhatProgramsNeedAndNoSecrets) {
  for (const char* each : {"PATH", "LC_ALL", "CUDA_VISIBLE_DEVICES", "WARPBENCH_PYTHON", "OMP_NUM_THREADS"})
    EXPECT_TRUE(isPlainVariable(each)) << each;
  for (const char* each :
       {"AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "WARPBENCH_TOKEN", "XDG_PASSWORD", "PATHS", "SSH_AUTH_SOCK", ""})
    EXPECT_FALSE(isPlainVariable(each)) << each;
}

}  // namespace
}  // namespace wb
