// SPDX-License-Identifier: Apache-2.0
// What had passed in a worker that was lost is checked once more, since nothing was asked beside it.
#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// A kernel that passes its first case, is wrong in the second, and loses its worker in the third and last.
OneRun crashesInTheLast(Job job, int lossesToQuarantine = 3) {
  OneRun run(std::move(job), lossesToQuarantine);
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(compiledWith(0, 3));
  run.call(0, 0);
  run.take(checkedStep(0, 0, Verdict::pass));
  run.call(0, 1);
  run.take(checkedStep(0, 1, Verdict::mismatch));
  run.call(0, 2);
  return run;
}

TEST(CheckedAgain, WhatHadPassedIsCheckedOnceMoreSinceNothingWasAskedBesideIt) {
  OneRun run = crashesInTheLast(twoKernels(true, false));
  run.lose(Blame::kernel);
  EXPECT_EQ(run.rest(), "0*: check 0; 1: check");
  EXPECT_EQ(run.report.kernels[0]->counts.passed, 1) << "the verdict stays until there is another one";
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(run.fits(StepStarted{Stage::check, 0, 0}).misfit, "");
  EXPECT_NE(run.fits(StepStarted{Stage::check, 0, 1}).misfit, "") << "what was wrong stays wrong";
  run.call(0, 0);
  run.take(checkedStep(0, 0, Verdict::pass));
  EXPECT_EQ(run.rest(), "1: check");
}

TEST(CheckedAgain, WhatLosesTheReferenceWhenItIsCheckedOnceMoreIsVoid) {
  OneRun run = crashesInTheLast(twoKernels(true, false));
  run.lose(Blame::kernel);
  run.handOver();
  run.call(0, 0);
  run.take(SideStarted{0, 0, Side::reference, false, 0});
  EXPECT_EQ(resultIn<CaseCheck>(run.lose(Blame::reference)[0])->verdict, Verdict::invalid);
  EXPECT_EQ(run.rest(), "1: check") << "it is not tried for ever";
}

TEST(CheckedAgain, WhatIsCheckedOnceMoreIsTimedOnlyIfItPassesAgain) {
  OneRun run = crashesInTheLast(twoKernels());
  run.lose(Blame::kernel);
  EXPECT_EQ(run.rest(), "0*: check 0, time 0; 1: check, time");
  EXPECT_THAT(remaining(run.job, run.report).kernels[0].passed, IsEmpty());
}

TEST(CheckedAgain, OnlyWhatTheLostWorkerHadIsCheckedOnceMore) {
  OneRun run = crashesInTheLast(twoKernels(true, false));
  const KernelWork part{0, false, {{Stage::check, std::vector<std::uint32_t>{1, 2}, 0}}};
  for (const Event& event : afterLoss(run.job, run.report, run.at, crash, 3, &part)) fold(run.report, event);
  EXPECT_EQ(run.rest(), "1: check");
}

TEST(CheckedAgain, NothingIsCheckedOnceMoreWhereNothingIsAskedLater) {
  for (const bool strict : {true, false}) {
    Job job = twoKernels(true, false);
    job.strict = strict;
    job.checking.likeBackendBench = !strict;
    OneRun run = crashesInTheLast(job);
    run.lose(strict ? Blame::warpbench : Blame::kernel);
    EXPECT_EQ(run.rest(), strict ? "0*: check 2; 1: check" : "1: check");
  }
}

TEST(CheckedAgain, OfCasesThatAreNotCheckedAgainItIsSaidThatNothingWasAsked) {
  OneRun run = crashesInTheLast(twoKernels(true, false), 1);
  const auto events = run.lose(Blame::kernel);
  ASSERT_THAT(events, SizeIs(2));  // the case that crashed, and the warning
  const Diagnostic& said = std::get<Diagnosed>(events[1]).diagnostic;
  EXPECT_EQ(said.severity, Severity::warning);
  EXPECT_THAT(said.message, testing::StartsWith("1 case had a verdict when the worker was lost"));
}

TEST(CheckedAgain, WhatLosesItsWorkerAgainIsNotCheckedAThirdTime) {
  OneRun run = crashesInTheLast(twoKernels(true, false));
  run.lose(Blame::kernel);
  run.handOver();
  run.call(0, 0);
  run.take(checkedStep(0, 0, Verdict::pass));
  const auto events = run.lose(Blame::warpbench);  // after it
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<Diagnosed>(events[0]).diagnostic.severity, Severity::warning);
  EXPECT_EQ(run.rest(), "1: check");
}

TEST(CheckedAgain, WhatWasTimedIsNotTimedAgain) {
  OneRun run = afterCompile(twoKernels(), 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    run.call(0, i);
    run.take(checkedStep(0, i, Verdict::pass));
  }
  run.call(0, 0, Stage::time);
  run.take(StepDone{Stage::time, 0, 0, CaseTiming{}});
  run.call(0, 1, Stage::time);
  run.lose(Blame::kernel);
  EXPECT_EQ(run.rest(), "0*: check 0; 1: check, time");
}

}  // namespace
}  // namespace wb
