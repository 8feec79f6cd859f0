// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Kernels that break: each in a real worker, and after each the next job must run in a good one.
class GpuFaults : public GpuTest {
 protected:
  CaseRow first(const std::string& source, double caseSeconds = 30) {
    losses_ = Losses::ofKernels;
    Job job = reluJob(source, {1000, 2000});
    job.limits.caseSeconds = caseSeconds;
    const Report report = runInWorker(job);
    EXPECT_EQ(report.outcome, Outcome::finished);
    const KernelReport& kernel = *report.kernels[0];
    printCases(kernel);
    EXPECT_FALSE(kernel.failure) << describe(*kernel.failure);
    if (kernel.cases.size() != 2) {
      ADD_FAILURE() << "cases: " << kernel.cases.size();
      return {};
    }
    EXPECT_NE(kernel.cases[1].check.verdict, Verdict::notRun);
    return kernel.cases[0];
  }

  void expectNextJobPasses() {
    losses_ = Losses::none;
    const Report report = runInWorker(reluJob(reluWith("if (i < n) y[i] = x[i] < 0 ? 0 : x[i];"), {1000}));
    EXPECT_EQ(report.kernels[0]->counts.passed, 1);
    printCases(*report.kernels[0]);
  }

  void expectCrash(const std::string& source, const std::string& words) {
    const CaseRow row = first(source);
    EXPECT_EQ(row.check.verdict, Verdict::crashed) << name(row.check.verdict);
    EXPECT_THAT(row.check.message, HasSubstr(words));
    expectNextJobPasses();
  }

  void expectRefused(const std::string& source, const std::string& words) {
    const CaseRow row = first(source);
    EXPECT_THAT(row.check.verdict, AnyOf(Verdict::refused, Verdict::threw));
    EXPECT_THAT(row.check.message, HasSubstr(words));
  }
};

TEST_F(GpuFaults, AnIllegalAddressIsACrashInCudasWords) {
  expectCrash(reluWith("y[i + (1ll << 40)] = x[0];"), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_F(GpuFaults, AMisalignedAccessIsACrash) {
  expectCrash(reluWith("reinterpret_cast<float4*>(y + 1)[0] = make_float4(1, 2, 3, 4);"),
              "CUDA_ERROR_MISALIGNED_ADDRESS");
}

TEST_F(GpuFaults, ADeviceAssertIsACrash) {
  expectCrash(reluWith("assert(n < 0); if (i < n) y[i] = x[i];"), "CUDA_ERROR_ASSERT");
}

TEST_F(GpuFaults, AnEndlessLoopHangs) {
  const CaseRow row = first(reluWith("while (true) __nanosleep(1000);"), 2);
  EXPECT_EQ(row.check.verdict, Verdict::hung);
  expectNextJobPasses();
}

TEST_F(GpuFaults, TooManyThreadsAreRefusedWithTheNumbers) {
  expectRefused(reluWith("if (i < n) y[i] = x[i];", "block = 2048\n"), "2048");
}

TEST_F(GpuFaults, TooManyRegistersForTheBlockAreRefused) {
  expectRefused(reluWith("float a[200]; for (int k = 0; k < 200; ++k) a[k] = x[(i + k) % n];\n"
                         "  float s = 0;\n  #pragma unroll\n  for (int k = 0; k < 200; ++k) s += a[k] * "
                         "a[199 - k] * a[(k * 7) % 200];\n  if (i < n) y[i] = s;",
                         "block = [1024, 2]\n"),
                "2048");
}

TEST_F(GpuFaults, TooMuchSharedMemoryIsRefusedWithTheNumbers) {
  expectRefused(reluWith("if (i < n) y[i] = x[i];", "shared = 1048576\n"), "1.00 MiB");
}

TEST_F(GpuFaults, MoreMemoryThanThereIsIsTheCasesVerdictAndTheNextJobRuns) {
  const CaseRow row = first(reluWith("if (i < n) { tmp[i] = x[i]; y[i] = x[i] < 0 ? 0 : x[i]; }",
                                     "workspace = { tmp = \"numel(self) * 100000000\" }\n"
                                     "args = [\"self\", \"out\", \"numel(self)\", \"tmp\"]\n",
                                     ", float* tmp"));
  EXPECT_THAT(row.check.verdict, AnyOf(Verdict::refused, Verdict::threw));
  EXPECT_THAT(row.check.message, HasSubstr("memory"));
  expectNextJobPasses();
}

TEST_F(GpuFaults, AWrongArgumentIsRefused) {
  expectRefused(reluWith("if (i < n) y[i] = x[i];", "args = [\"self\", \"out\", \"1.5\"]\n"), "whole number");
}

TEST_F(GpuFaults, AFailingExpressionIsRefusedWithItsPlace) {
  expectRefused(reluWith("if (i < n) y[i] = x[i];", "grid = \"1 / (numel(self) - numel(out))\"\n"),
                "Division by zero");
}

}  // namespace
}  // namespace wb
