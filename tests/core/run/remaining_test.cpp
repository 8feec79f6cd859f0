// SPDX-License-Identifier: Apache-2.0
// What a report leaves to do.
#include "core/run/remaining.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

TEST(Remaining, AtFirstIsAll) {
  OneRun run(twoKernels());
  EXPECT_EQ(run.rest(), "0: check, time; 1: check, time");
  EXPECT_FALSE(run.work.begun);
  run.take(JobStarted{{.device = "cpu"}, "2026-01-02T03:04:05Z"});
  EXPECT_TRUE(remaining(run.job, run.report).begun);
}

TEST(Remaining, StartsWhereTheWorkerWas) {
  OneRun run = afterCompile(twoKernels(), 3);
  EXPECT_EQ(run.rest(), "0*: check 0 1 2, time 0 1 2; 1: check, time");
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(checkedStep(0, 1, Verdict::mismatch));
  EXPECT_EQ(run.rest(), "0*: check 2, time 0 2; 1: check, time");
  EXPECT_EQ(remaining(run.job, run.report).kernels[0].passed, (std::vector<std::uint32_t>{0}));
  run.take(checkedStep(0, 2, Verdict::pass));
  EXPECT_EQ(run.rest(), "0*: time 0 2; 1: check, time");
  run.take(StepDone{Stage::time, 0, 0, CaseTiming{}});
  EXPECT_EQ(run.rest(), "0*: time 2; 1: check, time");
  run.take(StepDone{Stage::time, 0, 2, NoResult{"no"}});
  EXPECT_EQ(run.rest(), "1: check, time");
  run.take(StageFailed{1, {}});
  EXPECT_EQ(run.rest(), "");
}

TEST(Remaining, AStageOfAWholeKernelIsLeftUntilItWasDone) {
  for (const StepResult& result : {StepResult(Sanitized{}), StepResult(NoResult{"no tool"})}) {
    OneRun run = afterCompile(withStageOfTheKernel(), 2);
    EXPECT_EQ(run.rest(), "0*: check 0 1, sanitize; 1: check, sanitize");
    for (const std::uint32_t i : {0U, 1U}) run.take(checkedStep(0, i, Verdict::pass));
    EXPECT_EQ(run.rest(), "0*: sanitize; 1: check, sanitize");
    EXPECT_THAT(remaining(run.job, run.report).kernels[0].passed, testing::IsEmpty());
    run.take(StepDone{Stage::sanitize, 0, {}, result});
    EXPECT_EQ(run.rest(), "1: check, sanitize");
  }
}

TEST(Remaining, AStageThatTheRunnerGivesItselfIsNoWorkers) {
  Job job = withStageOfTheKernel();
  job.work.reset();
  EXPECT_EQ(OneRun(job).rest(), "0: check; 1: check");
}

TEST(Remaining, AStageOfAWholeKernelDoesNotKeepTheProfilesFromBeingChosen) {
  Job job = withStageOfTheKernel();
  job.work->kernels = {{0, false, {{Stage::sanitize}, {Stage::profile}}}};
  job.profile.cases = 1;
  job.profile.listing = false;
  OneRun run = afterCompile(job, 2);
  for (const std::uint32_t i : {0U, 1U}) run.take(checkedStep(0, i, Verdict::pass));
  EXPECT_EQ(run.rest(), "0*: sanitize, profile 0 1 (at most 1)");
  run.take(StepDone{Stage::profile, 0, 0, ProfilePart{Side::reference, {}, true}});
  EXPECT_EQ(run.rest(), "0*: sanitize");
}

TEST(Remaining, WithoutTheTimeStageTheCheckIsTheEnd) {
  OneRun run = afterCompile(twoKernels(true, false), 1);
  run.take(checkedStep(0, 0, Verdict::pass));
  EXPECT_EQ(run.rest(), "1: check");
}

TEST(Remaining, WithoutAStageCompilingIsTheEnd) {
  OneRun run(twoKernels(false, false));
  EXPECT_EQ(run.rest(), "0: ; 1: ");
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(compiledWith(0, 3));
  EXPECT_EQ(run.rest(), "1: ");
}

TEST(Remaining, CasesThatAreOnlyCheckedAreNotStillToTime) {
  OneRun run(twoKernels());
  run.take(StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.cases.resize(2);
  compiled.cases[0].use = CaseUse::check;
  run.take(compiledStep(compiled));
  EXPECT_EQ(run.rest(), "0*: check 0 1, time 1; 1: check, time");
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(checkedStep(0, 1, Verdict::mismatch));
  EXPECT_EQ(run.rest(), "1: check, time");  // no worker is started for nothing
}

TEST(Remaining, AKernelThatDoesNotRunHereIsOnlyListed) {
  Job job = twoKernels();
  job.stages.add(Stage::profile);
  OneRun run(job);
  run.take(StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.cases.resize(2);
  compiled.runs = false;
  run.take(compiledStep(compiled));
  EXPECT_EQ(run.rest(), "0*: profile none; 1: check, time, profile");
  run.take(StepDone{Stage::profile, 0, {}, Listed{{{"_Z1f", "f", "sm_90", {}}}}});
  EXPECT_EQ(run.rest(), "1: check, time, profile");
}

TEST(Remaining, WhichCasesAreProfiledIsKnownWhenAllWereTimed) {
  Job job = twoKernels();
  job.kernels.resize(1);
  job.stages.add(Stage::profile);
  OneRun run = afterCompile(job, 3);
  EXPECT_EQ(run.rest(), "0*: check 0 1 2, time 0 1 2, profile");
  for (std::uint32_t i = 0; i < 3; ++i) run.take(checkedStep(0, i, i == 2 ? Verdict::threw : Verdict::pass));
  EXPECT_EQ(run.rest(), "0*: time 0 1, profile");
  CaseTiming slow;
  slow.reference = 1;
  run.take(StepDone{Stage::time, 0, 1, slow});
  run.take(StepDone{Stage::time, 0, 0, NoResult{"no"}});
  EXPECT_EQ(run.rest(), "0*: profile 1");
}

TEST(Remaining, WhatTheKernelHandsToAtenIsProfiledLast) {
  Job job = twoKernels();
  job.kernels.resize(1);
  job.stages.add(Stage::profile);
  OneRun run(job);
  run.take(StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.cases = {Case{"aten::relu"}, Case{"aten::relu"}};
  run.take(compiledStep(std::move(compiled), 0));
  for (std::uint32_t i = 0; i < 2; ++i) {
    CaseCheck check;
    check.verdict = Verdict::pass;
    if (i == 1) check.ran = {{std::string(ownedByAten), "aten::relu", 1, 1e-6}};
    run.take(StepDone{Stage::check, 0, i, check});
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    CaseTiming timing;
    timing.reference = i == 1 ? 2 : 1;
    run.take(StepDone{Stage::time, 0, i, timing});
  }
  EXPECT_EQ(run.rest(), "0*: profile 0");
}

TEST(Remaining, WithoutTimesTheWorkerWeighsTheCasesToProfile) {
  Job job = twoKernels(true, false);
  job.kernels.resize(1);
  job.stages.add(Stage::profile);
  job.profile.cases = 2;
  OneRun run = afterCompile(job, 3);
  for (std::uint32_t i = 0; i < 3; ++i) run.take(checkedStep(0, i, Verdict::pass));
  EXPECT_EQ(run.rest(), "0*: profile 0 1 2 (at most 2)");
  run.take(StepDone{Stage::profile, 0, 1, NoResult{"no"}});
  EXPECT_EQ(run.rest(), "0*: profile 0 2 (at most 1)");
}

TEST(Remaining, OfAPartIsWhatIsLeftOfThatPart) {
  OneRun run = afterCompile(twoKernels(), 4);
  run.take(checkedStep(0, 1, Verdict::pass));
  const JobWork part{false, {{0, false, {{Stage::check, std::vector<std::uint32_t>{1, 2, 9}}}, {}, {}, {}}}};
  EXPECT_EQ(text(remaining(run.job, run.report, part)), "0*: check 2");
  // What an earlier round has left unchecked is not timed in this one.
  const JobWork times{false, {{0, false, {{Stage::time}}, {}, {}, {}}}};
  EXPECT_EQ(text(remaining(run.job, run.report, times)), "0*: time 1");
}

TEST(Remaining, KernelsAndCasesThatAreNotThereLeaveNothing) {
  OneRun run = afterCompile(twoKernels(), 1);
  run.take(StepStarted{Stage::check, 0, 1});
  run.take(checkedStep(0, 9, Verdict::pass));
  run.take(compiledWith(2, 4));
  EXPECT_EQ(run.rest(), "0*: check 0, time 0; 1: check, time");
  const JobWork none{false, {{7, false, {{Stage::check}}, {}, {}, {}}}};
  EXPECT_EQ(text(remaining(run.job, run.report, none)), "");
}

TEST(Remaining, WhatHasPassedIsNamedOfTheCasesThatArePartOfTheWork) {
  OneRun run = afterCompile(twoKernels(), 40);
  for (std::uint32_t i = 0; i < 30; ++i) run.take(checkedStep(0, i, Verdict::pass));
  const JobWork part{false, {{0, false, {{Stage::time, std::vector<std::uint32_t>{3, 7, 35}}}, {}, {}, {}}}};
  const JobWork rest = remaining(run.job, run.report, part);
  EXPECT_EQ(text(rest), "0*: time 3 7");
  EXPECT_EQ(rest.kernels.at(0).passed, (std::vector<std::uint32_t>{3, 7}));
}

}  // namespace
}  // namespace wb
