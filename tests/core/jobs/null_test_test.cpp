// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "core/figures/selftest/null_test_figure.h"
#include "core/figures/text/text.h"
#include "core/jobs/selftest.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;

Report timedReport(const Job& job, const std::vector<Speedup>& speedups) {
  Report report = startReport(job);
  Compiled compiled;
  compiled.cases = job.cases;
  fold(report, compiledStep(compiled));
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    CaseTiming timing;
    timing.reference = timing.candidate = 20e-6;
    timing.speedup = speedups[i % speedups.size()];
    timing.time = "kernel";
    timing.caches = CacheState::cold;
    timing.kernel = {20e-6, 20e-6};
    timing.events = {20.2e-6, 20.2e-6};
    timing.clock = "CUPTI's records";
    timing.blocks.resize(1);
    fold(report, StepDone{Stage::time, 0, static_cast<std::uint32_t>(i), timing});
  }
  return report;
}

TEST(Selftest, CasesDifferByTheirSeedsAlone) {
  const auto job = makeJob(nullTestRequest(3, "cuda:0"));
  ASSERT_TRUE(job);
  ASSERT_EQ(job->cases.size(), 12U);
  EXPECT_EQ(job->cases[0].args, job->cases[2].args);
  EXPECT_NE(job->cases[0].seed, job->cases[2].seed);
  EXPECT_EQ(job->kernels[0].language, "aten");
  EXPECT_FALSE(job->stages.has(Stage::check));
  EXPECT_EQ(makeJob(nullTestRequest(3, "cpu"))->cases.size(), 9U);
  EXPECT_FALSE(makeJob(nullTestRequest(0, "cpu")));
}

TEST(Selftest, RowsSayTheWorstAndHowManyIntervalsCoverOne) {
  const auto job = makeJob(nullTestRequest(2, "cpu"));
  const Report report =
      timedReport(*job, {{1.004, 0.999, 1.009, Pace::same}, {0.98, 0.97, 0.99, Pace::slower}});
  const auto rows = nullRows(report, {{0, 0.02}, {1, 0.04}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].elements, 25);
  EXPECT_EQ(rows[0].repeats, 2);
  EXPECT_NEAR(rows[0].worst, 0.02, 1e-12);
  EXPECT_EQ(rows[0].covered, 1);
  EXPECT_NEAR(rows[0].caseSeconds, 0.03, 1e-12);
  EXPECT_EQ(rows[1].caseSeconds, 0);
  EXPECT_NEAR(rows[0].clocks, 0.01, 1e-4);
  EXPECT_EQ(rows[2].elements, 4194304);
}

TEST(Selftest, TheTableHasDoBenchOnlyWhereItRan) {
  NullRow row;
  row.elements = 25;
  row.repeats = 20;
  row.covered = 19;
  row.worst = 0.008;
  row.seconds = 1.4e-6;
  row.clocks = NAN;
  const std::string alone = toText(nullTable({row}, {}));
  EXPECT_THAT(alone, HasSubstr("19 of 20"));
  EXPECT_THAT(alone, testing::Not(HasSubstr("do_bench")));
  EXPECT_THAT(toText(nullTable({row}, {{25, {0.166, 0.214}}})), HasSubstr("16.6 %"));
}

}  // namespace
}  // namespace wb
