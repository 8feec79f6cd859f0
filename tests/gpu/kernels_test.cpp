// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/kernels.h"

namespace wb {
namespace {

class GpuKernels : public GpuTest {
 protected:
  void expectAllPass(const std::string& source, int fewest) {
    const Report report = run(smokeJob(source));
    ASSERT_EQ(report.kernels.size(), 1U);
    const KernelReport& kernel = *report.kernels[0];
    fmt::print("  {} of {} pass, {} void, {} failed\n", kernel.counts.passed, kernel.counts.total,
               kernel.counts.neutral, kernel.counts.failed);
    printCases(kernel);
    EXPECT_EQ(report.outcome, Outcome::finished);
    EXPECT_FALSE(kernel.failure);
    EXPECT_EQ(kernel.counts.failed, 0);
    EXPECT_GE(kernel.counts.passed, fewest);
  }
};

TEST_F(GpuKernels, ReluPassesTheSmokeSuite) {
  expectAllPass(reluSource, 10);
}
TEST_F(GpuKernels, AddPassesTheSmokeSuite) {
  expectAllPass(addSource, 10);
}
TEST_F(GpuKernels, SoftmaxPassesTheSmokeSuite) {
  expectAllPass(softmaxSource, 8);
}
TEST_F(GpuKernels, LayerNormPassesTheSmokeSuite) {
  expectAllPass(layerNormSource, 8);
}

TEST_F(GpuKernels, ReluPassesInARealWorker) {
  const Report report = runInWorker(smokeJob(reluSource));
  const KernelReport& kernel = *report.kernels[0];
  printCases(kernel);
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(report.target.device, "cuda:0");
  EXPECT_TRUE(report.target.architecture.starts_with("sm_")) << report.target.architecture;
  EXPECT_EQ(kernel.counts.failed, 0);
  EXPECT_GE(kernel.counts.passed, 10);
}

TEST_F(GpuKernels, AWrongKernelIsAMismatchWithItsPlace) {
  const Report report = run(reluJob(reluWith("if (i < n) y[i] = x[i];"), {1000}));
  const CaseRow& row = report.kernels[0]->cases[0];
  EXPECT_EQ(row.check.verdict, Verdict::mismatch);
  ASSERT_TRUE(row.check.errors);
  EXPECT_GT(row.check.errors->mismatches, 0);
  EXPECT_FALSE(row.check.errors->firstBadIndex.empty());
}

TEST_F(GpuKernels, UnwrittenOutputsArePoisonAndDoNotPass) {
  const Report report = run(reluJob(reluWith("if (i < n - 1) y[i] = x[i] < 0 ? 0 : x[i];"), {1000}));
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::mismatch);
}

TEST_F(GpuKernels, StridesReachAKernelThatAsksForThem) {
  auto job = reluJob(
      "/* warpbench\nargs = [\"self\", \"out\", \"size(self, 0)\", \"size(self, 1)\", \"stride(self, 0)\", "
      "\"stride(self, 1)\", \"stride(out, 0)\", \"stride(out, 1)\"]\n"
      "grid = \"size(self, 0)\"\n*/\n"
      "__global__ void relu(const float* x, float* y, int rows, int columns, long sx0, long sx1, long sy0, "
      "long sy1) {\n"
      "  for (int j = threadIdx.x; j < columns; j += blockDim.x) y[blockIdx.x * sy0 + j * sy1] = "
      "fmaxf(x[blockIdx.x * sx0 + j * sx1], 0.f);\n}\n",
      {});
  Case transposed;
  transposed.op = "aten::relu";
  transposed.args = "((T([64, 32], f32, [1, 64]),), {})";
  transposed.dtype = "f32";
  job.cases = {transposed};
  const Report report = run(job);
  printCases(*report.kernels[0]);
  EXPECT_EQ(report.kernels[0]->counts.passed, 1);
}

TEST_F(GpuKernels, WorkspacesZeroedOutputsAndLargeSharedMemoryWork) {
  auto job = reluJob(
      "/* warpbench\noperator = \"aten::relu\"\nargs = [\"self\", \"out\", \"tmp\", "
      "\"numel(self)\"]\nworkspace = { tmp = \"numel(self)\" }\n"
      "zero = [\"out\", \"tmp\"]\nshared = 100000\n*/\n"
      "__global__ void relu(const float* x, float* y, int* tmp, int n) {\n  extern __shared__ float tile[];\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  tile[24000 + threadIdx.x] = i < n ? x[i] : 0;\n  "
      "__syncthreads();\n"
      "  if (i < n) { atomicAdd(&tmp[i], 1); if (tmp[i] == 1 && tile[24000 + threadIdx.x] > 0) "
      "atomicAdd(&y[i], tile[24000 + threadIdx.x]); }\n}\n",
      {1000});
  const Report report = run(job);
  printCases(*report.kernels[0]);
  EXPECT_EQ(report.kernels[0]->counts.passed, 1);
}

}  // namespace
}  // namespace wb
