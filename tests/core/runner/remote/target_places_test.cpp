// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/target_places.h"

#include <gmock/gmock.h>

#include <string>

#include "core/runner/remote/far_devices.h"
#include "core/runner/remote/far_order.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CheckElsewhereTest, StoredValuesAreRefused) {
  Job job;
  job.suite = "opinfo";
  EXPECT_TRUE(checkElsewhere(job));
  job.cases.resize(2);
  job.cases[1].values = "stored:/here/x#3";
  EXPECT_THAT(
      describe(checkElsewhere(job).error()),
      AllOf(HasSubstr("the values of the suite opinfo are in a file of this machine"), HasSubstr("smoke")));
}

TEST(WorkerDevicesTest, EachHasAGpuOfItsOwn) {
  const std::vector<Device> two{{"cpu"}, {"cuda:0"}, {"cuda:1"}};
  EXPECT_THAT(*workerDevices("cuda:0", 2, two), ElementsAre("cuda:0", "cuda:1"));
  EXPECT_THAT(*workerDevices("cpu", 3, two), ElementsAre("cpu", "cpu", "cpu"));
  EXPECT_THAT(workerDevices("cuda:1", 2, two).error().text, HasSubstr("there is no cuda:2"));
}

TEST(FarTextsTest, AreReadBack) {
  const std::vector<Device> devices{{"cpu", "a \"b\"", "x86-64", 5}, {"cuda:0", "H200", "sm_90", 7}};
  const auto read = devicesFrom(text(devices));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->at(1).name, "H200");
  EXPECT_EQ(read->at(0).memoryBytes, 5);
  EXPECT_FALSE(devicesFrom("Welcome!"));
  // A login may print what it likes, also without a line end.
  const auto marked =
      devicesFrom("Welcome!\n\033]0;box\007" + std::string(devicesMark) + text(devices), "box");
  ASSERT_TRUE(marked) << describe(marked.error());
  EXPECT_EQ(marked->size(), 2U);
  EXPECT_THAT(devicesFrom("Welcome!", "box").error().text, HasSubstr("box gave no list of its devices"));
  FarOrder order{std::string(32, 'a'), false, {.device = "cuda:1", .python = true}, "slurm://a", "/p y", 1.5};
  order.wish.walls = WallWish{7, {}};
  order.wish.judges = true;
  order.wish.sanitizer = "memcheck";
  const auto back = farOrderFrom(text(order));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->wish.device, "cuda:1");
  EXPECT_TRUE(back->wish.python && !back->isNew);
  EXPECT_EQ(back->wish.walls->run, 7U);
  EXPECT_TRUE(back->wish.judges);
  EXPECT_EQ(back->wish.sanitizer, "memcheck");
  EXPECT_EQ(back->cluster, "slurm://a");
  EXPECT_EQ(back->python, "/p y");
  EXPECT_EQ(back->graceSeconds, 1.5);
  order.session = "../x";
  EXPECT_FALSE(farOrderFrom(text(order)));
  EXPECT_FALSE(farOrderFrom("{}"));
}

}  // namespace
}  // namespace wb
