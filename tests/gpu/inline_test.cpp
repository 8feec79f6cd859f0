// SPDX-License-Identifier: Apache-2.0
// load_inline of Python kernels on the GPU: built by Warpbench, not by ninja and nvcc.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/quantity.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::Contains;
using testing::Field;
using testing::Gt;
using testing::HasSubstr;
using testing::Not;

class GpuInline : public GpuTest {
 protected:
  static std::string logOf(const Report& report) {
    std::string all;
    for (std::size_t i = 0; i < report.log.size(); ++i) all += report.log[i].text + "\n";
    return all;
  }
  Report built(const Job& job, const std::string& what) {
    Report report = runInWorker(job);
    const KernelReport& kernel = *report.kernels[0];
    printCases(kernel);
    if (kernel.compiled)
      fmt::print("{}: built in {}{}, {} of {} cases pass, {} timed\n", what,
                 formatSeconds(kernel.compiled->seconds), kernel.compiled->cached ? " (cached)" : "",
                 kernel.counts.passed, kernel.counts.total, kernel.counts.timed);
    else
      ADD_FAILURE() << what << " was not built\n" << logOf(report);
    EXPECT_THAT(logOf(report), Not(HasSubstr("torch builds")));
    EXPECT_THAT(logOf(report), Not(HasSubstr("nvcc")));
    return report;
  }
};

TEST_F(GpuInline, ABackendBenchKernelAgreesWithAten) {
  const Job job = resourceJob("templates/load_inline.py");
  const Report first = built(job, "relu_kernel_impl with load_inline");
  ASSERT_TRUE(first.kernels[0]->compiled);
  EXPECT_EQ(first.kernels[0]->counts.failed, 0);
  EXPECT_GT(first.kernels[0]->counts.passed, 5);
  EXPECT_FALSE(first.kernels[0]->compiled->cached);
  EXPECT_THAT(first.kernels[0]->compiled->artifacts, Contains(Field(&Artifact::registers, Gt(0))));
  const Report again = built(job, "the same, unchanged");
  ASSERT_TRUE(again.kernels[0]->compiled);
  EXPECT_EQ(again.kernels[0]->counts.failed, 0);
  EXPECT_TRUE(again.kernels[0]->compiled->cached);
}

TEST_F(GpuInline, AKernelBenchProblemIsCheckedAndTimed) {
  const Report report = built(resourceJob("samples/add_inline.py", true), "ModelNew with load_inline");
  EXPECT_EQ(report.kernels[0]->counts.passed, 3);
  EXPECT_EQ(report.kernels[0]->counts.timed, 1);
}

TEST_F(GpuInline, AWrongKernelFailsAndTheRightOnePassesAfterIt) {
  const Job job = resourceJob("templates/load_inline.py");
  const std::string right = "y[i] = x[i] <= scalar_t(0) ? scalar_t(0) : x[i]";
  Job wrong = job;
  std::string& text = wrong.kernels[0].text;
  ASSERT_NE(text.find(right), std::string::npos);
  text.replace(text.find(right), right.size(), "y[i] = x[i]");
  EXPECT_GT(built(wrong, "a wrong one").kernels[0]->counts.failed, 0);
  EXPECT_EQ(built(job, "the right one").kernels[0]->counts.failed, 0);
}

TEST_F(GpuInline, AnErrorInDeviceCodeIsOnItsLineOfThePythonFile) {
  Job job = resourceJob("templates/load_inline.py");
  std::string& text = job.kernels[0].text;
  const std::size_t at = text.find("y[i] = x[i]");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 4, "q[i]");
  const Report report = runInWorker(job);
  ASSERT_FALSE(report.kernels[0]->diagnostics.empty());
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.line,
            1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

}  // namespace
}  // namespace wb
