// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/corrections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Report withText(const std::string& text) {
  KernelReport kernel;
  kernel.source.text = text;
  CaseRow row;
  row.definition.use = CaseUse::check;
  row.check.verdict = Verdict::mismatch;
  row.check.errors.emplace().maxAbs = 0.009;
  kernel.cases.push(row);
  Report report;
  report.device = "cuda:0";
  report.kernels.emplace_back(std::move(kernel));
  return report;
}

TEST(Corrections, NameWhatBackendBenchWouldHaveLetPassOrSkipped) {
  EXPECT_THAT(
      corrections(withText("s = torch.cuda.Stream()"), {}),
      ElementsAre(HasSubstr("1 case failed with no error above 0.01"), HasSubstr("1 kernel run though")));
  EXPECT_EQ(corrections(withText("torch.cuda.current_stream()"), {}).size(), 1u);
  EXPECT_EQ(corrections(withText("create_stream(x)"), {}).size(), 2u);
}

TEST(Corrections, NameWhatHappenedInThisRunOnly) {
  EXPECT_THAT(corrections({}, {}), ElementsAre());
  KernelReport kernel;
  for (const Verdict verdict : {Verdict::pass, Verdict::changedInput}) {
    CaseRow row;
    row.definition.op = "aten::add_.Tensor";
    row.definition.use = CaseUse::check;
    row.check.verdict = verdict;
    kernel.cases.push(row);
  }
  Report report;
  report.kernels.emplace_back(std::move(kernel));
  EXPECT_THAT(corrections(report, {}),
              ElementsAre(HasSubstr("2 in-place cases compared with a clean clone"),
                          HasSubstr("1 case failed because the kernel changed an input")));
}

}  // namespace
}  // namespace wb
