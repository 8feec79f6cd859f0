// SPDX-License-Identifier: Apache-2.0
#include "app/worker/options.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

Result<WorkerOptions> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "warpbench-worker");
  return parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

TEST(WorkerOptions, AreTakenWithAndWithoutEquals) {
  EXPECT_EQ(parse({"--device=cuda:1"})->device, "cuda:1");
  EXPECT_EQ(parse({"--device", "cuda:1", "--torch", "/t"})->torch, "/t");
  EXPECT_EQ(parse({})->device, "cpu");
  EXPECT_EQ(parse({"--doctor"})->mode, WorkerOptions::Mode::doctor);
}

TEST(WorkerOptions, SayWhatIsWrong) {
  EXPECT_THAT(parse({"--device=gpu"}).error().text, HasSubstr("'gpu'"));
  EXPECT_THAT(parse({"--device=cuda:"}).error().text, HasSubstr("'cuda:'"));
  EXPECT_THAT(parse({"--device"}).error().text, HasSubstr("needs a value"));
  EXPECT_THAT(parse({"--fast"}).error().text, HasSubstr("'--fast'"));
}

}  // namespace
}  // namespace wb
