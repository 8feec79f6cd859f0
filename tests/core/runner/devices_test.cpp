// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/runner/device_list.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<PhysicalGpu> two = parseNvidiaSmi(
    "GPU-aaaa-1, NVIDIA H100 80GB HBM3, 9.0, 81559\n"
    "GPU-bbbb-2, NVIDIA GeForce RTX 2080 Ti, 7.5, 11264\n");

std::vector<Device> machine(int gpus) {
  std::vector<Device> result{{"cpu", "EPYC", "x86-64", 0}};
  for (int i = 0; i < gpus; ++i) result.push_back({"cuda:" + std::to_string(i), "H100", "sm_90", 0});
  return result;
}

TEST(Devices, ReadsTheDriversList) {
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], (PhysicalGpu{"GPU-aaaa-1", "NVIDIA H100 80GB HBM3", "sm_90", std::int64_t{81559} << 20}));
  EXPECT_EQ(two[1].architecture, "sm_75");
}

TEST(Devices, LeavesOutLinesThatAreSomethingElse) {
  EXPECT_THAT(parseNvidiaSmi("No devices were found\n"), IsEmpty());
  EXPECT_THAT(parseNvidiaSmi(""), IsEmpty());
  const auto odd = parseNvidiaSmi("GPU-1, Old one, [N/A], [N/A]\r\n");
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd[0].architecture, "");
  EXPECT_EQ(odd[0].memoryBytes, 0);
}

TEST(Devices, ObeysTheVisibleOnes) {
  EXPECT_EQ(visibleGpus(two, nullptr), two);
  EXPECT_THAT(visibleGpus(two, "1,0"), ElementsAre(two[1], two[0]));
  EXPECT_THAT(visibleGpus(two, "GPU-bbbb"), ElementsAre(two[1]));
  EXPECT_THAT(visibleGpus(two, ""), IsEmpty());
  EXPECT_THAT(visibleGpus(two, "-1"), IsEmpty());
  EXPECT_THAT(visibleGpus(two, "1,7,0"), ElementsAre(two[1]));
  EXPECT_THAT(visibleGpus(two, "0,0"), IsEmpty());
}

TEST(Devices, TheProcessorIsAlwaysThereAndFirst) {
  const auto found = devices();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].id, "cpu");
  EXPECT_FALSE(found[0].name.empty());
  EXPECT_GT(found[0].memoryBytes, 0);
}

TEST(ResolveDevice, AutoPrefersAGpu) {
  EXPECT_EQ(*resolveDevice("auto", machine(2)), "cuda:0");
  EXPECT_EQ(*resolveDevice("auto", machine(0)), "cpu");
  EXPECT_EQ(*resolveDevice("", machine(0)), "cpu");
}

TEST(ResolveDevice, TakesWhatIsThere) {
  EXPECT_EQ(*resolveDevice("cpu", machine(1)), "cpu");
  EXPECT_EQ(*resolveDevice("cuda:1", machine(2)), "cuda:1");
  EXPECT_EQ(*resolveDevice("cuda", machine(1)), "cuda:0");
}

TEST(ResolveDevices, NamesEachOnce) {
  using testing::ElementsAre;
  EXPECT_THAT(*resolveDevices({"auto"}, machine(2)), ElementsAre("cuda:0", "cuda:1"));
  EXPECT_THAT(*resolveDevices({"auto", "cpu"}, machine(1)), ElementsAre("cpu", "cuda:0"));
  EXPECT_THAT(*resolveDevices({"auto", "cpu"}, machine(0)), ElementsAre("cpu"));
  EXPECT_THAT(*resolveDevices({"cuda:1", "auto", "cuda:1"}, machine(2)), ElementsAre("cuda:0", "cuda:1"));
  EXPECT_FALSE(resolveDevices({"cpu", "cuda:4"}, machine(1)));
}

TEST(ResolveDevice, SaysWhatIsMissing) {
  EXPECT_THAT(resolveDevice("cuda:0", machine(0)).error().text, HasSubstr("this machine has no usable GPU"));
  EXPECT_THAT(resolveDevice("cuda:4", machine(2)).error().text, HasSubstr("cuda:0 to cuda:1"));
  EXPECT_THAT(resolveDevice("cuda:4", machine(1)).error().text, HasSubstr("only cuda:0"));
  EXPECT_EQ(resolveDevice("cuda:4", machine(1)).error().stage, Stage::setup);
  EXPECT_EQ(resolveDevice("cup", machine(0)).error().hint, "did you mean cpu?");
  EXPECT_EQ(resolveDevice("tpu-v5", machine(0)).error().hint, "use auto, cpu or cuda:N");
}

}  // namespace
}  // namespace wb
