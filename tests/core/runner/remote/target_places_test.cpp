// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/target_places.h"

#include <gmock/gmock.h>

#include <string>

#include "core/base/files/file.h"
#include "core/runner/remote/far_devices.h"
#include "core/runner/remote/far_order.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CheckElsewhereTest, FilesThatAreOnlyHereAreNamed) {
  const TemporaryFolder own;
  for (const char* file : {"helper.h", "helper.py"})
    ASSERT_TRUE(writeFileAtomically(own.path() / file, "\n"));
  const auto check = [&](const std::string& name, const std::string& text) {
    Job job;
    job.kernels.push_back({(own.path() / name).string(), text, "", "relu"});
    return checkElsewhere(job);
  };
  EXPECT_TRUE(check("relu.cpp", "#include <torch/torch.h>\n#include \"other.h\"\n// helper.h\n"));
  EXPECT_TRUE(check("relu.py", "import torch\nfrom torch.nn import functional\nhelper = 1\n"));
  EXPECT_THAT(check("relu.cpp", "#include <vector>\n # include \"helper.h\"\n").error().text,
              HasSubstr("relu.cpp takes in helper.h"));
  EXPECT_THAT(check("relu.py", "import torch\nfrom helper import f\n").error().text,
              HasSubstr("relu.py takes in helper.py"));
}

TEST(CheckElsewhereTest, StoredValuesAndTheSanitizerAreRefused) {
  Job job;
  job.suite = "opinfo";
  EXPECT_TRUE(checkElsewhere(job));
  job.cases.resize(2);
  job.cases[1].values = "stored:/here/x#3";
  EXPECT_THAT(
      describe(checkElsewhere(job).error()),
      AllOf(HasSubstr("the values of the suite opinfo are in a file of this machine"), HasSubstr("smoke")));
  job.cases.clear();
  job.stages.add(Stage::sanitize);
  job.sanitizer = "memcheck";
  EXPECT_THAT(checkElsewhere(job).error().text, HasSubstr("compute-sanitizer"));
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
  FarOrder order{std::string(32, 'a'), false, {.device = "cuda:1", .python = true}, "/p y", 1.5};
  order.wish.walls = WallWish{7, {}};
  const auto back = farOrderFrom(text(order));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->wish.device, "cuda:1");
  EXPECT_TRUE(back->wish.python && !back->isNew);
  EXPECT_EQ(back->wish.walls->run, 7U);
  EXPECT_EQ(back->python, "/p y");
  EXPECT_EQ(back->graceSeconds, 1.5);
  order.session = "../x";
  EXPECT_FALSE(farOrderFrom(text(order)));
  EXPECT_FALSE(farOrderFrom("{}"));
}

}  // namespace
}  // namespace wb
