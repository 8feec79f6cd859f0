// SPDX-License-Identifier: Apache-2.0
#include "core/figures/ran.h"

#include <gmock/gmock.h>

#include "core/figures/cases/details.h"
#include "core/figures/figures.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A report of one kernel for relu, whose cases came to these checks.
Report reportOf(const std::vector<CaseCheck>& checks, const std::string& device = "cpu",
                const std::vector<RanPart>& launched = {}) {
  Job job;
  job.device = device;
  job.kernels = {{"relu.py", "", "python", "aten::relu", "", ""}};
  Report report = startReport(job);
  Compiled compiled;
  compiled.op = "aten::relu";
  compiled.cases.resize(checks.size());
  for (Case& each : compiled.cases) each.op = "aten::relu";
  fold(report, compiledStep(compiled));
  for (std::uint32_t i = 0; i < checks.size(); ++i) {
    fold(report, StepDone{Stage::check, 0, i, checks[i]});
    CaseTiming timing;
    timing.launched = launched;
    if (!launched.empty()) fold(report, StepDone{Stage::time, 0, i, timing});
  }
  return report;
}

CaseCheck ran(std::vector<RanPart> parts) {
  CaseCheck check;
  check.verdict = Verdict::pass;
  check.ran = std::move(parts);
  return check;
}

RanPart own(double seconds) {
  return {"kernel", "", 1, seconds};
}
RanPart aten(const char* name, double seconds) {
  return {"ATen", name, 1, seconds};
}

std::string textOf(const Report& report) {
  return ranText(whatRan(report, *report.kernels[0]));
}

TEST(WhatRan, OfAStrictJobIsTheWordOfTheKernelsProcess) {
  Report report = reportOf({ran({aten("aten::relu", 2e-3), own(2e-6)})});
  report.strict = true;
  EXPECT_EQ(textOf(report), "all of it in aten::relu, as its own process says");
  EXPECT_THAT(ranCards(report).front().detail, HasSubstr("as its own process says"));
}

TEST(WhatRan, OfAKernelThatHandsItsWorkToAtenSaysSo) {
  const Report report = reportOf({ran({aten("aten::relu", 2e-3), aten("aten::clamp_min", 0), own(2e-6)})});
  EXPECT_EQ(textOf(report), "all of it in aten::relu");
  const std::vector<Card> cards = ranCards(report);
  ASSERT_EQ(cards.size(), 1U);
  EXPECT_EQ(cards[0].value, "aten::relu");
  EXPECT_EQ(cards[0].detail, "all of it · hands relu to ATen in 1 of 1 case");
  EXPECT_EQ(cards[0].tone, Tone::warning);
  EXPECT_EQ(cards, std::vector<Card>{headline(report).cards.back()});
}

TEST(WhatRan, OfItsOwnWorkIsItsOwn) {
  const Report report = reportOf({ran({own(1e-3)})});
  EXPECT_EQ(textOf(report), "all its own code");
  EXPECT_EQ(ranCards(report)[0].value, "own code");
  EXPECT_EQ(ranCards(report)[0].tone, Tone::neutral);
}

TEST(WhatRan, LargeCasesCountByTheirTimeAndShortOnesNotAtAll) {
  EXPECT_EQ(textOf(reportOf(
                {ran({own(3e-3), aten("aten::mm", 1e-3)}), ran({own(4e-5), aten("aten::relu", 1e-6)})})),
            "75 % own code · 25 % aten::mm");
  const Report brief = reportOf({ran({own(2e-5), aten("aten::mm", 1e-6)})});
  EXPECT_EQ(textOf(brief), "calls aten::mm");
  EXPECT_EQ(ranCards(brief)[0].detail, "called; too short to tell its share");
  EXPECT_EQ(textOf(reportOf({ran({own(2e-5)})})), "all its own code");
}

TEST(WhatRan, OnAGpuTheDevicesTimeCounts) {
  const Report report =
      reportOf({ran({own(3e-3), aten("aten::mm", 1e-5)})}, "cuda:0",
               {{"cuBLAS", "nvjet", 1, 94e-6}, {"kernel", "relu", 2, 5e-6}, {"driver", "fill", 1, 1e-6}});
  EXPECT_EQ(textOf(report), "94 % cuBLAS · 5 % own kernels · 1 % copies and fills");
  EXPECT_EQ(ranCards(report)[0].value, "94 % cuBLAS");
  EXPECT_THAT(ranCards(report)[0].detail, HasSubstr("calls aten::mm"));
  const std::optional<Details> details = detailsOf(report, "0/0");
  ASSERT_TRUE(details);
  EXPECT_THAT(details->facts,
              testing::Contains(testing::Field(&Fact::text, HasSubstr("nvjet, relu ×2, fill"))));
  EXPECT_THAT(details->facts, testing::Contains(testing::Field(&Fact::text, HasSubstr("94 % cuBLAS"))));
}

TEST(WhatRan, WithoutTheDevicesRecordsOnlyNamesAreSaid) {
  EXPECT_EQ(textOf(reportOf({ran({own(3e-3), aten("aten::mm", 1e-5)})}, "cuda:0")), "calls aten::mm");
}

TEST(WhatRan, IsNotSaidWhereNothingIsKnown) {
  EXPECT_THAT(ranCards(reportOf({ran({})})), IsEmpty());
  EXPECT_EQ(textOf(reportOf({ran({})})), "");
}

}  // namespace
}  // namespace wb
