// SPDX-License-Identifier: Apache-2.0
// What one worker is at, whose turn it is, and how long that may take.
#include "core/run/at_work.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

constexpr auto candidate = Side::candidate, reference = Side::reference;

TEST(AtWork, EveryStepHasItsOwnPatience) {
  OneRun run(twoKernels());
  EXPECT_EQ(run.patience(), 110);
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(run.patience(), 110);
  run.take(compiledWith(0, 2));
  EXPECT_EQ(run.patience(), 40);
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_EQ(run.patience(), 30);
  run.take(StepStarted{Stage::time, 0, 0});
  EXPECT_EQ(run.patience(), 36);
  EXPECT_TRUE(isTiming(run.at));
  run.handOver();
  EXPECT_EQ(run.patience(), 110);
  EXPECT_FALSE(isTiming(run.at));
}

TEST(AtWork, OnAGpuItMayWaitForOthersBetweenTwoSteps) {
  Job job = twoKernels();
  job.device = "cuda:0";
  OneRun run(job);
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(compiledWith(0, 2));
  EXPECT_EQ(run.patience(), 70);
}

TEST(AtWork, AWaitForOthersOnTheGpuIsBetweenTwoSteps) {
  Job job = twoKernels();
  job.limits.waitSeconds = 600;
  OneRun run = afterCompile(job, 2);
  EXPECT_EQ(run.patience(), 640);
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_EQ(run.patience(), 30);
}

TEST(AtWork, WhatListsTheCodeBetweenTwoStepsMayTakeAsLongAsACompiler) {
  Job job = twoKernels();
  job.stages.add(Stage::profile);
  OneRun run = afterCompile(job, 1);
  EXPECT_EQ(run.patience(), 110) << "disassemblers run then";
  job.profile.listing = false;
  run = afterCompile(job, 1);
  EXPECT_EQ(run.patience(), 40);
}

TEST(AtWork, UnderTheSanitizerACaseHasItsLimitWhoeverMadeTheJob) {
  Job job = twoKernels(true, false);  // as the window makes it, whose user did not ask for times
  job.sanitizer = "memcheck";
  job.stages.add(Stage::sanitize);
  OneRun run = afterCompile(job, 1);
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_EQ(run.patience(), 600);
}

TEST(AtWork, AStepOfAWholeKernelHasNoCaseAndNoSides) {
  OneRun run = afterCompile(withStageOfTheKernel(), 2);
  EXPECT_TRUE(run.take(StepStarted{Stage::sanitize, 0, {}}));
  EXPECT_EQ(activity(run.job, run.at), "sanitizing a.cpp");
  EXPECT_FALSE(run.take(SideStarted{0, 0, candidate, true, 0}));
  EXPECT_FALSE(run.at.side);
  EXPECT_FALSE(caseUnderWay(run.report, run.at));
  EXPECT_TRUE(run.take(StepDone{Stage::sanitize, 0, {}, Sanitized{}}));
  EXPECT_FALSE(run.at.step);
}

TEST(AtWork, BetweenItsStepsAKernelMayBeAskedForMore) {
  OneRun run = afterCompile(twoKernels(), 2);
  run.call(0, 1);
  run.take(checkedStep(0, 1, Verdict::pass));
  EXPECT_FALSE(run.at.isAsked) << "its turn ended with the case";
  EXPECT_TRUE(run.take(SideStarted{0, 0, candidate, false, 0}));
  EXPECT_EQ(activity(run.job, run.at), "asking a.cpp further questions");
  EXPECT_EQ(run.patience(), 40);
  EXPECT_FALSE(caseUnderWay(run.report, run.at));
  EXPECT_TRUE(run.take(SideStarted{0, 0, std::nullopt, false, 0}));
  EXPECT_EQ(activity(run.job, run.at), "between two steps of a.cpp");
  run.take(SideStarted{0, 1, candidate, false, 0});
  run.take(StepStarted{Stage::compile, 1, {}});
  EXPECT_FALSE(run.at.isAsked);
}

TEST(AtWork, SayingTheSameAgainWinsNoTime) {
  OneRun run = afterCompile(twoKernels(), 2);
  EXPECT_TRUE(run.take(StepStarted{Stage::check, 0, 0}));
  EXPECT_FALSE(run.take(StepStarted{Stage::check, 0, 0}));
  EXPECT_FALSE(run.take(Log{"stdout", "still here"}));
  EXPECT_FALSE(run.take(Diagnosed{}));
}

TEST(AtWork, SaysWhatIsUnderWay) {
  OneRun run(twoKernels());
  EXPECT_EQ(activity(run.job, run.at), "preparing a.cpp");
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(activity(run.job, run.at), "compiling a.cpp");
  run.take(compiledWith(0, 2));
  EXPECT_EQ(activity(run.job, run.at), "between two steps of a.cpp");
  run.take(StepStarted{Stage::time, 0, 1});
  EXPECT_EQ(activity(run.job, run.at), "timing case 2 of a.cpp");
  run.take(StepStarted{Stage::profile, 0, 0});
  EXPECT_EQ(activity(run.job, run.at), "profiling case 1 of a.cpp");
}

TEST(AtWork, AFirstCallOfALanguageThatTunesHasALimitOfItsOwn) {
  Job job = twoKernels();
  job.kernels[0].language = "triton";
  OneRun run = afterCompile(job, 3);
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_TRUE(run.take(SideStarted{0, 0, candidate, true, 0}));
  EXPECT_EQ(run.patience(), 300);
  EXPECT_EQ(purse(run.report, run.at), Purse::firstCall);
  ASSERT_TRUE(caseUnderWay(run.report, run.at));
  EXPECT_TRUE(caseUnderWay(run.report, run.at)->first);
  EXPECT_THAT(overdue(run.job, run.report, run.at),
              testing::HasSubstr("its first call did not finish within 300"));
  EXPECT_TRUE(run.take(SideStarted{0, 0, reference, false, 0}));
  EXPECT_EQ(run.patience(), 30);
  // A second first call is none, so that saying so wins no time.
  EXPECT_TRUE(run.take(SideStarted{0, 0, candidate, true, 0}));
  EXPECT_EQ(run.patience(), 30);
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(StepStarted{Stage::check, 0, 1});  // another shape may tune again
  run.take(SideStarted{0, 1, candidate, true, 0});
  EXPECT_EQ(run.patience(), 300);
}

TEST(AtWork, AFirstCallOfACompiledLanguageIsACall) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.call(0, 0);
  EXPECT_EQ(run.patience(), 30);
  EXPECT_FALSE(caseUnderWay(run.report, run.at)->first);
}

TEST(AtWork, AKernelThatHasHungGetsShortLimits) {
  OneRun run = afterCompile(twoKernels(), 9);
  run.call(0, 1);
  run.lose(Blame::kernel, hang);
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  run.call(0, 2);
  EXPECT_EQ(run.patience(), 5);
  EXPECT_EQ(overdue(run.job, run.report, run.at),
            "did not finish within 5.00 s, a short limit since it hung in case 2");
  run.take(SideStarted{0, 2, reference, false, 0});
  EXPECT_EQ(run.patience(), 30);
}

TEST(AtWork, AReferenceThatHungSeveralTimesGetsShortLimits) {
  OneRun run = afterCompile(twoKernels(), 9);
  for (std::uint32_t i = 0; i < 3; ++i) {
    run.take(StepStarted{Stage::check, 0, i});
    run.take(SideStarted{0, i, reference, false, 0});
    EXPECT_EQ(run.patience(), 30);
    run.lose(Blame::reference, hang);
    run.handOver();
  }
  run.take(StepStarted{Stage::check, 0, 3});
  EXPECT_EQ(run.patience(), 30);  // inputs are nobody's
  run.take(SideStarted{0, 3, reference, false, 0});
  EXPECT_EQ(run.patience(), 5);
  EXPECT_THAT(overdue(run.job, run.report, run.at),
              testing::HasSubstr("a short limit since it did not finish in 3 other cases"));
}

}  // namespace
}  // namespace wb
