// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/runner/sanitizer/sanitizer.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

/// Kernels with a fault on a line that says "// here", in a real worker under the real compute-sanitizer.
class GpuSanitizer : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (const auto found = findSanitizer(); !found) GTEST_SKIP() << "not run: " << describe(found.error());
  }

  KernelReport under(const std::string& tool, const std::string& source) {
    losses_ = Losses::ofKernels;
    Job job = reluJob(source, {1000});
    job.sanitizer = tool;
    job.stages.add(Stage::sanitize);
    const Report report = runInWorker(job);
    EXPECT_EQ(report.outcome, Outcome::finished);
    for (std::size_t i = 0; i < report.log.size(); ++i)
      fmt::print("[{}] {}\n", report.log[i].source, report.log[i].text);
    if (report.failure) ADD_FAILURE() << describe(*report.failure);
    KernelReport kernel = *report.kernels[0];
    printCases(kernel);
    for (const Diagnostic& each : kernel.diagnostics)
      fmt::print("{}: {}: {}\n", text(each.place), name(each.severity), each.message);
    return kernel;
  }

  /// A message at the marked line that says this.
  static void expectHere(const KernelReport& kernel, const std::string& words) {
    const std::string& source = kernel.source.text;
    const auto mark = source.find("// here");
    ASSERT_NE(mark, std::string::npos);
    const int line = 1 + static_cast<int>(std::count(source.begin(), source.begin() + mark, '\n'));
    bool found = false;
    for (const Diagnostic& each : kernel.diagnostics)
      found |= each.place == Place{kernel.source.path, line, 0} &&
               each.message.find(words) != std::string::npos && each.tool.starts_with("compute-sanitizer");
    EXPECT_TRUE(found) << "line " << line << ": " << words;
  }
};

TEST_F(GpuSanitizer, MemcheckFindsAWriteBehindTheEndThatTheCheckCannotSee) {
  const KernelReport kernel = under(
      "memcheck", reluWith("if (i < n) y[i] = x[i] < 0 ? 0 : x[i];\n  if (i == 0) y[n] = 1;  // here\n"));
  expectHere(kernel, "Invalid __global__ write of size 4 bytes");
}

TEST_F(GpuSanitizer, RacecheckFindsAMissingBarrier) {
  const KernelReport kernel =
      under("racecheck", reluWith("__shared__ float t[1024];\n  t[threadIdx.x] = i < n ? x[i] : 0;  // here\n"
                                  "  const float far = t[blockDim.x - 1 - threadIdx.x];\n"
                                  "  if (i < n) y[i] = far == 12345.0f ? far : x[i] < 0 ? 0 : x[i];"));
  expectHere(kernel, "Race reported");
}

TEST_F(GpuSanitizer, ACleanKernelHasNoMessages) {
  const KernelReport kernel = under("memcheck", reluWith("if (i < n) y[i] = x[i] < 0 ? 0 : x[i];"));
  EXPECT_TRUE(kernel.diagnostics.empty());
  EXPECT_EQ(kernel.counts.passed, 1);
}

}  // namespace
}  // namespace wb
