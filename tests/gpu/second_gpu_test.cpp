// SPDX-License-Identifier: Apache-2.0
// A worker of the second GPU. What names no device goes to the current one, and torch's is the first GPU
// unless somebody says otherwise.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/engine/device/driver.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class SecondGpu : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    int count = 0;
    if (driver()->deviceGetCount(&count) != CUDA_SUCCESS || count < 2)
      GTEST_SKIP() << "not run: there is one GPU";
  }
  Report onSecond(Job job) {
    job.device = "cuda:1";
    Report report = runInWorker(job);
    printAll(report);
    EXPECT_EQ(report.target.device, "cuda:1");
    return report;
  }
};

TEST_F(SecondGpu, SamplesOfEveryLanguageAreCheckedAndTimed) {
  for (const char* file :
       {"samples/add_inline.py", "samples/relu_torch_cuda.cu", "samples/relu.cu", "samples/relu_triton.py"}) {
    const Report report = onSecond(resourceJob(file, true));
    EXPECT_EQ(report.kernels[0]->counts.failed, 0) << file;
    EXPECT_GT(report.kernels[0]->counts.passed, 2) << file;
    EXPECT_GT(report.kernels[0]->counts.timed, 0) << file;
  }
}

TEST_F(SecondGpu, AStrictJudgeWorksThere) {
  Job job = resourceJob("samples/add_inline.py", true);
  job.strict = true;
  const Report report = onSecond(job);
  EXPECT_EQ(report.kernels[0]->counts.passed, 3);
  EXPECT_EQ(report.kernels[0]->counts.timed, 1);
}

TEST_F(SecondGpu, CountersAreReadThere) {
  Job job = resourceJob("samples/add_inline.py", true);
  job.stages.add(Stage::profile);
  job.profile.sections = {"quick"};
  job.profile.timeline = job.profile.listing = false;
  const Report report = onSecond(job);
  ASSERT_EQ(report.kernels[0]->counts.profiled, 1);
  for (std::size_t i = 0; i < report.kernels[0]->cases.size(); ++i)
    if (const auto& profile = report.kernels[0]->cases[i].profile)
      EXPECT_GT((*profile)->candidate.passes, 0) << (*profile)->notProfiled;
}

TEST_F(SecondGpu, AKernelThatMakesAnotherGpuTheCurrentOneDoesSoForItselfAlone) {
  Job job = reluJob("", {1000, 100000});
  job.kernels = {{"relu.py", R"(import torch
def relu_kernel_impl(x):
    torch.cuda.set_device(0)
    return x.clamp(min=0)
)",
                  "python", "relu", "", ""}};
  job.stages.add(Stage::time);
  job.timing.capSeconds = 0.25;
  const Report report = onSecond(job);
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.counts.passed, 2);
  EXPECT_EQ(kernel.counts.timed, 2);
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    fmt::print("{}: {}\n", kernel.cases[i].definition.args, kernel.cases[i].notTimed);
  ASSERT_FALSE(kernel.diagnostics.empty());
  EXPECT_THAT(kernel.diagnostics[0].message, HasSubstr("the current GPU (0, was 1)"));
}

}  // namespace
}  // namespace wb
