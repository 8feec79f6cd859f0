// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/declared_device.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* pointers =
    "#include <ATen/ATen.h>\nat::Tensor relu(const at::Tensor& x) { return of(x.data_ptr<float>()); }\n";

TEST(DeclaredDevice, IsALineOfTheFirstComment) {
  EXPECT_EQ(forDevice("// Title: Sum\n// Device: cpu\nint x;\n", "torch_cpp"), ForDevice::cpu);
  EXPECT_EQ(forDevice("# Title: Sum\n#\n\n# Device: cuda\nimport torch\n", "python"), ForDevice::gpu);
  EXPECT_EQ(forDevice("/* warpbench\n# Device: GPU\n*/\n", "raw_cuda"), ForDevice::gpu);
  EXPECT_EQ(forDevice("/* Device: any */\n" + std::string(pointers), "torch_cpp"), ForDevice::any);
  EXPECT_EQ(forDevice("#include <x.h>\n// Device: cpu\n", "torch_cpp"), ForDevice::any);
  EXPECT_EQ(forDevice("import torch\n# Device: cpu\n", "python"), ForDevice::any);
}

TEST(DeclaredDevice, OfCppThatFollowsPointersAndNamesNoneIsTheCpu) {
  EXPECT_EQ(forDevice(pointers, "torch_cpp"), ForDevice::cpu);
  EXPECT_EQ(forDevice(std::string(pointers) + "// if (!x.is_cpu()) …\n", "torch_cpp"), ForDevice::any);
  EXPECT_EQ(forDevice("at::Tensor relu(const at::Tensor& x) { return x.relu(); }\n", "torch_cpp"),
            ForDevice::any);
  EXPECT_EQ(forDevice(pointers, "torch_cuda"), ForDevice::any);
}

TEST(DeclaredDevice, SaysWhyAKernelIsNotRunElsewhere) {
  EXPECT_THAT(whyNotOn("cpu", pointers, "torch_cpp"), IsEmpty());
  EXPECT_THAT(whyNotOn("cuda:0", pointers, "torch_cpp"), HasSubstr("names no device"));
  EXPECT_THAT(whyNotOn("cuda:1", "// Device: cpu\n", "torch_cpp"), HasSubstr("not run on cuda:1"));
  EXPECT_THAT(whyNotOn("cpu", "# Device: cuda\n", "python"), HasSubstr("for a GPU"));
}

}  // namespace
}  // namespace wb
