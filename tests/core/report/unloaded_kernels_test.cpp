// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/unloaded_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/backendbench/corrections.h"

namespace wb {
namespace {

using testing::HasSubstr;

Report withFailedKernel(Stage stage) {
  Job job;
  job.kernels.push_back({});
  job.kernels[0].op = "aten::neg";
  Report report = startReport(job);
  Error error{stage, "ImportError: on purpose"};
  error.type = "<class 'ImportError'>";
  fold(report, StageFailed{0, error});
  return report;
}

TEST(UnloadedKernels, CountAsFailedCases) {
  Case one, other;
  one.op = "aten::neg";
  other.op = "aten::abs";
  const Report report = withUnloadedKernels(withFailedKernel(Stage::compile), {one, one, other});
  ASSERT_EQ(report.kernels[0]->cases.size(), 2u);
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::threw);
  EXPECT_EQ(report.kernels[0]->cases[0].check.errorType, "<class 'ImportError'>");
  EXPECT_EQ(counts(report).total, 2);
  EXPECT_EQ(counts(report).checked, 2);
  EXPECT_EQ(counts(report).failed, 2);
  EXPECT_FALSE(report.kernels[0]->compiled);
  EXPECT_EQ(report.kernels[0]->progress, Progress::failed);
  EXPECT_THAT(corrections(report, {}),
              testing::Contains(HasSubstr("1 kernel that did not load counted as failed: neg.default")));
}

TEST(UnloadedKernels, AMachineWithoutPythonIsNoFaultOfTheKernel) {
  Case one;
  one.op = "aten::neg";
  EXPECT_TRUE(withUnloadedKernels(withFailedKernel(Stage::setup), {one}).kernels[0]->cases.empty());
}

}  // namespace
}  // namespace wb
