// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {
namespace {

constexpr std::string_view ptxasLog =
    R"(k.cu(3): warning #177-D: variable "unused" was declared but never referenced
     int unused;
         ^

ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN2n12e2EPf' for 'sm_90'
ptxas info    : Function properties for _ZN2n12e2EPf
ptxas         .     400 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 128 registers, used 0 barriers, 400 bytes cumulative stack size
ptxas info    : Compile time = 183.953 ms
ptxas info    : Compiling entry function 'relu' for 'sm_90'
ptxas info    : Function properties for relu
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 128 bytes smem
)";

TEST(PtxasLog, GivesRegistersSpillsAndSharedMemory) {
  const auto figures = ptxasFigures(ptxasLog);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].loweredName, "_ZN2n12e2EPf");
  EXPECT_EQ(figures[0].registers, 128);
  EXPECT_EQ(figures[0].spillStores, 24);
  EXPECT_EQ(figures[0].spillLoads, 28);
  EXPECT_EQ(figures[0].sharedBytes, 0);
  EXPECT_EQ(figures[1].registers, 10);
  EXPECT_EQ(figures[1].sharedBytes, 128);
}

TEST(PtxasLog, IsNoMessageForPeople) {
  const auto messages = compilerMessages(ptxasLog);
  EXPECT_EQ(messages.find("ptxas"), std::string::npos);
  EXPECT_NE(messages.find("#177-D"), std::string::npos);
}

}  // namespace
}  // namespace wb
