// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>

#include "core/figures/selftest/known_ratios_figure.h"
#include "core/figures/text/text.h"
#include "core/jobs/selftest.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

Job knownRatioJob(int repeats) {
  return *makeJob(knownRatioRequest(repeats, "cuda:0"));
}

constexpr double emptySeconds = 1.2e-6, clockHertz = 1.98e9;

/// Times as a perfect clock would say them, the candidate's longer by a share of `bias`. `hertz` is what NVML
/// says.
Report perfect(const Job& job, double bias, double halfWidth, double hertz = clockHertz) {
  Report report = startReport(job);
  std::vector<double> ratios{0.25, 0.5, 0.9, 1.1, 2, 4, 1.01, 1.02, 1.05};
  if (job.kernels.size() == 3) ratios = {1.01, 1.02, 1.05};
  for (std::uint32_t k = 0; k < job.kernels.size(); ++k) {
    Compiled compiled;
    compiled.cases = job.cases;
    fold(report, compiledStep(compiled, k));
    for (std::uint32_t i = 0; i < job.cases.size(); ++i) {
      const std::string& args = job.cases[i].args;
      const double cycles = std::strtod(args.c_str() + args.rfind(", ", args.rfind("), {}")) + 2, nullptr);
      CaseTiming timing;
      timing.reference = cycles / clockHertz + emptySeconds;
      timing.candidate = (cycles / ratios[k] / clockHertz + emptySeconds) * (cycles > 0 ? 1 + bias : 1);
      const double ratio = timing.reference / timing.candidate;
      timing.speedup = {ratio, ratio * (1 - halfWidth), ratio * (1 + halfWidth), Pace::undecided};
      timing.time = "kernel";
      timing.caches = CacheState::cold;
      timing.conditions = {{hertz, 2.6e9, 100, 40, ""}};
      fold(report, StepDone{Stage::time, k, i, timing});
    }
  }
  return report;
}

TEST(KnownRatios, TheJobHasEveryLengthAndRatioAndAnEmptyOne) {
  const Job job = knownRatioJob(3);
  EXPECT_EQ(job.kernels.size(), 9U);
  EXPECT_EQ(job.cases.size(), 27U);
  EXPECT_THAT(job.cases[0].args, HasSubstr(", 0)"));
  EXPECT_NE(job.cases[0].seed, job.cases[9].seed);
  EXPECT_EQ(job.cases[0].op, "warpbench::spin");
  EXPECT_THAT(job.kernels[2].text, HasSubstr("cycles * 10 / 9"));
}

TEST(KnownRatios, SmallDifferencesAloneAreTriedAsOftenAsAsked) {
  const Job job = *makeJob(knownRatioRequest(100, "cuda:0", true));
  ASSERT_EQ(job.kernels.size(), 3U);
  EXPECT_EQ(job.cases.size(), 900U);
  const auto known = knownRatios(perfect(job, 0, 0.002));
  ASSERT_TRUE(known);
  for (const KnownRow& row : known->rows) {
    EXPECT_EQ(row.count, 0);
    EXPECT_EQ(row.tries, 100);
    EXPECT_EQ(row.right, (std::vector<int>{100, 100, 100}));
  }
  const std::string text = toText(knownRatioTable(*known));
  EXPECT_THAT(text, HasSubstr("100 of 100"));
  EXPECT_THAT(text, Not(HasSubstr("0 of 0")));
}

TEST(KnownRatios, APerfectClockHasNoErrorAndSeesSmallDifferences) {
  const auto known = knownRatios(perfect(knownRatioJob(2), 0, 0.002));
  ASSERT_TRUE(known);
  EXPECT_NEAR(known->empty, emptySeconds, 1e-12);
  EXPECT_NEAR(known->hertz, clockHertz, 1);
  ASSERT_EQ(known->rows.size(), 8U);
  for (const KnownRow& row : known->rows) {
    EXPECT_LT(row.worst, 0.002) << row.seconds;
    EXPECT_EQ(row.covered, row.count);
    EXPECT_EQ(row.count, 12);
    EXPECT_EQ(row.tries, 2);
  }
  EXPECT_EQ(known->rows.back().right, (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(known->rows.front().right[0], 2) << "0.45 % of a microsecond kernel with its launch";
  const std::string text = toText(knownRatioTable(*known));
  EXPECT_THAT(text, HasSubstr("12 of 12"));
  EXPECT_THAT(text, HasSubstr("kernel, cold"));
}

TEST(KnownRatios, LongWaitsAreByTheTimerWhateverTheClockDoes) {
  const auto known = knownRatios(perfect(knownRatioJob(1), 0, 0.002, 1.41e9));
  ASSERT_TRUE(known);
  EXPECT_NEAR(known->hertz, 1.41e9, 1);
  EXPECT_NEAR(known->rows.front().seconds, 1980 / 1.41e9, 1e-9) << "cycles of that clock";
  EXPECT_NEAR(known->rows.back().seconds, 1e-3, 1e-9);
  EXPECT_LT(known->rows.back().worst, 1e-6);
}

TEST(KnownRatios, AClockThatAddsThreePercentToOneSideIsSeen) {
  const auto known = knownRatios(perfect(knownRatioJob(1), 0.03, 0.002));
  ASSERT_TRUE(known);
  for (const KnownRow& row : known->rows) {
    EXPECT_NEAR(row.worst, 0.03, 0.004);
    EXPECT_EQ(row.covered, 0);
  }
}

TEST(KnownRatios, WithoutAnEmptyKernelNothingIsTrue) {
  EXPECT_FALSE(knownRatios(startReport(knownRatioJob(1))));
}

}  // namespace
}  // namespace wb
