// SPDX-License-Identifier: Apache-2.0
// What the loss of a worker means: whose fault it is, and what becomes of the case, the kernel and the rest.
#include "core/run/losses.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto reference = Side::reference;

/// The verdict that a loss amounts to, where it is that alone. Beside the first void case there is a warning.
CaseCheck verdictIn(const std::vector<Event>& events) {
  const bool isOne = events.size() == 1 || (events.size() == 2 && std::get_if<Diagnosed>(&events[1]));
  const auto* found = isOne ? resultIn<CaseCheck>(events[0]) : nullptr;
  EXPECT_NE(found, nullptr) << events.size() << " events";
  return found != nullptr ? *found : CaseCheck{};
}

TEST(AfterLoss, WithoutTheCheckStageACrashIsStillAVerdict) {
  OneRun run = afterCompile(twoKernels(false), 2);
  EXPECT_EQ(run.rest(), "0*: time 0 1; 1: time");
  run.call(0, 0, Stage::time);
  EXPECT_THAT(run.lose(Blame::kernel), SizeIs(1));
  EXPECT_EQ(run.rest(), "0*: time 1; 1: time");
}

TEST(AfterLoss, BetweenCasesBlamesNone) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::threw));
  EXPECT_THAT(run.lose(Blame::warpbench), IsEmpty());
  EXPECT_EQ(run.rest(), "0*: check 1 2, time 1 2; 1: check, time");
}

TEST(AfterLoss, InAStageOfAWholeKernelIsItsResultAndLeavesTheCasesAlone) {
  OneRun run = afterCompile(withStageOfTheKernel(), 2);
  run.take(StepStarted{Stage::sanitize, 0, {}});
  const auto events = run.lose(Blame::warpbench);  // where nothing is measured, no code but ours was at work
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<StepDone>(events[0]), (StepDone{Stage::sanitize, 0, {}, NoResult{"SIGSEGV"}}));
  EXPECT_EQ(run.rest(), "0*: check 0 1; 1: check, sanitize");
}

TEST(AfterLoss, InQuarantineTheStageOfTheWholeKernelIsLeftOutByName) {
  OneRun run(withStageOfTheKernel(), 1);
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(compiledWith(0, 2));
  run.call(0, 0);
  const auto events = run.lose(Blame::kernel);
  const std::string why = "not run: this kernel has ended its worker 1 times";
  ASSERT_THAT(events, SizeIs(3));  // the case that crashed, the one that is left, and the stage
  EXPECT_EQ(std::get<StepDone>(events[2]), (StepDone{Stage::sanitize, 0, {}, NoResult{why}}));
}

TEST(AfterLoss, WhileCompilingFailsTheKernel) {
  OneRun run(twoKernels());
  run.take(StepStarted{Stage::compile, 0, {}});
  const auto events = run.lose(Blame::kernel);
  ASSERT_THAT(events, SizeIs(1));
  const Error& error = std::get<StageFailed>(events[0]).error;
  EXPECT_EQ(error.stage, Stage::compile);
  EXPECT_EQ(error.text, "The worker was lost (SIGSEGV) while compiling a.cpp");
  EXPECT_EQ(run.rest(), "1: check, time");
}

TEST(AfterLoss, SaysWhatWasUnderWay) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.call(0, 1);
  const auto events = afterLoss(run.job, run.report, run.at, hang, 3);
  const auto& lost = std::get<WorkerLost>(events.front());
  EXPECT_EQ(lost.kernel, 0U);
  EXPECT_EQ(lost.verdict, Verdict::hung);
  EXPECT_EQ(lost.stage, Stage::check);
  EXPECT_EQ(lost.index, 1U);
  EXPECT_EQ(lost.side, Side::candidate);
  EXPECT_FALSE(lost.quarantines);
}

/// A GPU's kernel with three cases that have passed and were timed, the second the longest.
OneRun beforeProfiling(int cases, std::vector<std::uint32_t> indices = {}) {
  Job job = twoKernels();
  job.kernels.resize(1);
  job.stages.add(Stage::profile);
  job.profile.cases = cases;
  job.profile.indices = std::move(indices);
  job.limits.profileSeconds = 50;
  OneRun run = afterCompile(job, 3);
  for (std::uint32_t i = 0; i < 3; ++i) run.take(checkedStep(0, i, Verdict::pass));
  for (std::uint32_t i = 0; i < 3; ++i) {
    CaseTiming timing;
    timing.reference = i == 1 ? 3 : 1;
    timing.caches = i == 2 ? CacheState::hot : CacheState::cold;
    run.take(StepDone{Stage::time, 0, i, timing});
  }
  return run;
}

TEST(AfterLoss, WhileProfilingLeavesTheAnswerRight) {
  OneRun run = beforeProfiling(1);
  run.take(StepStarted{Stage::profile, 0, 1});
  EXPECT_EQ(run.patience(), 60);
  const auto events = run.lose(Blame::profiler);
  ASSERT_THAT(events, SizeIs(1));
  const auto* lost = resultIn<NoResult>(events[0]);
  ASSERT_NE(lost, nullptr);
  EXPECT_THAT(lost->reason, HasSubstr("while it was profiled"));
  EXPECT_EQ(run.report.kernels[0]->counts.passed, 3);
}

TEST(AfterLoss, WhileProfilingLeavesTheOtherProfilesAndTheListingToDo) {
  OneRun run = beforeProfiling(2);
  EXPECT_EQ(run.rest(), "0*: profile 1 0");
  run.take(StepStarted{Stage::profile, 0, 1});
  run.lose(Blame::profiler);
  EXPECT_EQ(run.rest(), "0*: profile 0");  // what could not be profiled is not tried again
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(run.fits(StepStarted{Stage::profile, 0, 0}).misfit, "");
  EXPECT_NE(run.fits(StepStarted{Stage::profile, 0, 1}).misfit, "");
  run.take(StepStarted{Stage::profile, 0, 0});
  run.lose(Blame::profiler);
  EXPECT_EQ(run.rest(), "0*: profile none");  // the listing alone
  run.take(StepDone{Stage::profile, 0, {}, Listed{{{"_Z1f", "f", "sm_90", {}}}}});
  EXPECT_EQ(run.rest(), "");
}

TEST(AfterLoss, NamedCasesAreProfiledInAnotherWorkerTooWithTheCachesOfTheirTimes) {
  OneRun run = beforeProfiling(1, {0, 2});
  run.take(StepStarted{Stage::profile, 0, 0});
  run.lose(Blame::profiler);
  run.handOver();
  EXPECT_EQ(text(run.work), "0*: profile 2");
  EXPECT_EQ(run.work.kernels[0].hot, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(run.work.kernels[0].passed, (std::vector<std::uint32_t>{2}));
}

TEST(AfterLoss, BetweenTwoPartsOfAProfileIsWhileProfiling) {
  OneRun run = beforeProfiling(1);
  run.take(StepStarted{Stage::profile, 0, 0});
  EXPECT_TRUE(run.take(StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, {}, false}}));
  EXPECT_THAT(run.lose(Blame::profiler), SizeIs(1));
}

TEST(AfterLoss, LossesOfOneKernelAreNotCountedForTheNext) {
  OneRun run = afterCompile(twoKernels(true, false), 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    run.call(0, i);
    EXPECT_THAT(run.lose(Blame::kernel), SizeIs(1));
    run.handOver();
  }
  run.take(StepStarted{Stage::compile, 1, {}});
  run.take(compiledWith(1, 5));
  run.call(1, 0);
  EXPECT_THAT(run.lose(Blame::kernel), SizeIs(1));
  EXPECT_EQ(run.rest(), "1*: check 1 2 3 4");
}

TEST(AfterLoss, AWorkerThatNeverBeginsIsNotTriedForEver) {
  OneRun run(twoKernels(), 2);
  EXPECT_THAT(run.lose(Blame::warpbench), IsEmpty());
  run.handOver();
  const auto events = run.lose(Blame::warpbench);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<StageFailed>(events[0]).error.stage, Stage::setup);
  EXPECT_EQ(run.rest(), "1: check, time");
}

TEST(AfterLoss, ThreeLossesAreAQuarantineInOneWording) {
  OneRun run = afterCompile(twoKernels(), 5);
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::pass));
  std::vector<Event> events;
  for (std::uint32_t i = 1; i < 4; ++i) {
    run.call(0, i);
    events = run.lose(Blame::kernel);
    run.handOver();
  }
  ASSERT_THAT(events, SizeIs(3));  // the crash, the time of the first case, and the last case
  EXPECT_EQ(resultIn<NoResult>(events[1])->reason, "not run: this kernel has ended its worker 3 times");
  const auto* left = resultIn<CaseCheck>(events[2]);
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->verdict, Verdict::quarantined);
  EXPECT_EQ(left->message, "not run: this kernel has ended its worker 3 times");
  EXPECT_TRUE(run.report.losses.back().quarantines);
  EXPECT_TRUE(isClosed(run.report, 0));
  EXPECT_EQ(run.rest(), "1: check, time");
}

TEST(AfterLoss, AQuarantineSaysNothingOfTimesThatNobodyWanted) {
  Job job = twoKernels();
  OneRun run(job, 1);
  run.take(StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.cases.resize(3);
  compiled.cases[0].use = CaseUse::check;
  run.take(compiledStep(compiled));
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::pass));
  run.call(0, 1);
  const auto events = run.lose(Blame::kernel);
  for (const Event& event : events) EXPECT_EQ(resultIn<NoResult>(event), nullptr);
  EXPECT_EQ(run.report.kernels[0]->cases[0].notTimed, "");
}

TEST(AfterLoss, AQuarantineSaysWhatIsNotProfiled) {
  OneRun run = beforeProfiling(3);
  std::vector<Event> events;
  for (const std::uint32_t i : {1U, 0U}) {
    run.take(StepStarted{Stage::profile, 0, i});
    events = run.lose(Blame::profiler);
    EXPECT_THAT(events, SizeIs(1));
    run.handOver();
  }
  run.take(StepStarted{Stage::compile, 0, {}});
  events = run.lose(Blame::kernel);  // while it was loaded
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<StepDone>(events[0]).index, 2U);
  EXPECT_TRUE(is<NoResult>(events[0]));
  EXPECT_EQ(run.rest(), "");
}

TEST(AfterLoss, LossesOutsideTheKernelsCodeAreNotItsOwn) {
  OneRun run = afterCompile(twoKernels(true, false), 6);
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 3; ++i) {
    run.take(StepStarted{Stage::check, 0, i});
    run.take(checkedStep(0, i, Verdict::pass));
    events = run.lose(Blame::warpbench);
    run.handOver();
  }
  ASSERT_THAT(events, SizeIs(3));  // the run goes on with the next kernel, and says whose fault it is
  for (const Event& event : events) {
    const auto* left = resultIn<CaseCheck>(event);
    ASSERT_NE(left, nullptr);
    EXPECT_EQ(left->verdict, Verdict::missing);
    EXPECT_THAT(left->message, HasSubstr("Warpbench lost its worker 3 times"));
    EXPECT_THAT(left->message, testing::Not(HasSubstr("this kernel has ended")));
  }
  EXPECT_EQ(run.rest(), "1: check");
}

TEST(AfterLoss, ACaseThatBrokeItsDeviceIsToBlameForTheEndOfTheProcess) {
  OneRun run = afterCompile(twoKernels(), 2);
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::crashed));
  EXPECT_THAT(run.lose(Blame::kernel), IsEmpty());  // by a signal, in its driver's clean-up
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(StepStarted{Stage::check, 0, 1});
  run.take(checkedStep(0, 1, Verdict::pass));
  const Loss inOrder{Verdict::crashed, "its device can no longer be used", "", true};
  EXPECT_THAT(run.lose(Blame::kernel, inOrder), IsEmpty());
}

TEST(AfterLoss, LoadingTheKernelAgainIsItsOwnCode) {
  OneRun run = afterCompile(twoKernels(), 2);
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(run.patience(), 110);
  EXPECT_THAT(run.lose(Blame::kernel), IsEmpty());  // what it compiled to stays
  EXPECT_EQ(run.rest(), "0*: check 0 1, time 0 1; 1: check, time");
}

TEST(AfterLoss, AfterTamperingNoVerdictIsLeft) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::pass));
  const auto events = run.lose(Blame::kernel, {Verdict::tampered, "a message came", "", false});
  ASSERT_THAT(events, SizeIs(3));
  for (const Event& event : events) EXPECT_EQ(resultIn<CaseCheck>(event)->verdict, Verdict::tampered);
  EXPECT_EQ(run.rest(), "1: check, time");
}

// Whose turn it was

TEST(AfterLoss, WhileTheReferenceRunsMakesTheCaseVoid) {
  for (const auto& [loss, words] : {std::pair{crash, "the reference crashed: SIGSEGV"},
                                    std::pair{hang, "the reference did not finish within 30.0 s"}}) {
    OneRun run = afterCompile(twoKernels(), 3);
    run.take(StepStarted{Stage::check, 0, 0});
    run.take(SideStarted{0, 0, reference, false, 0});
    EXPECT_EQ(blameFor(run.at, loss), Blame::reference);
    const CaseCheck check = verdictIn(run.lose(Blame::reference, loss));
    EXPECT_EQ(check.verdict, Verdict::invalid);
    EXPECT_EQ(check.message, words);
    EXPECT_EQ(run.rest(), "0*: check 1 2, time 1 2; 1: check, time");
  }
}

TEST(AfterLoss, WhoseDoingAVoidCaseIsNobodyKnowsWhichIsSaidOnce) {
  OneRun run = afterCompile(twoKernels(), 3);
  for (std::uint32_t i = 0; i < 2; ++i) {
    run.take(StepStarted{Stage::check, 0, i});  // the inputs are made
    EXPECT_EQ(verdictIn(run.lose(Blame::reference, hang)).verdict, Verdict::invalid);
    run.handOver();
  }
  const auto& said = run.report.kernels[0]->diagnostics;
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].severity, Severity::warning);
  EXPECT_THAT(said[0].message, HasSubstr("nobody knows whose doing that was"));
}

TEST(AfterLoss, OfAStrictJudgeIsNobodysButOursAndTheCaseRunsAgain) {
  Job strict = twoKernels();
  strict.strict = true;
  for (const Side side : {Side::reference, Side::candidate}) {
    OneRun run = afterCompile(strict, 3);
    run.take(StepStarted{Stage::check, 0, 0});
    run.take(SideStarted{0, 0, side, false, 0});
    EXPECT_THAT(run.lose(Blame::warpbench), IsEmpty());
    EXPECT_EQ(run.rest(), "0*: check 0 1 2, time 0 1 2; 1: check, time");
  }
  OneRun timed = afterCompile(strict, 1);
  timed.take(checkedStep(0, 0, Verdict::pass));
  timed.take(StepStarted{Stage::time, 0, 0});
  EXPECT_THAT(timed.lose(Blame::warpbench), IsEmpty());
  EXPECT_EQ(timed.rest(), "0*: time 0; 1: check, time");
  OneRun compiling(strict);
  compiling.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_THAT(compiling.lose(Blame::warpbench), IsEmpty());
}

TEST(AfterLoss, OfAStrictJudgeIsTheKernelsWhereItHangsOrIsLaunchedThere) {
  Job strict = twoKernels();
  strict.strict = true;
  OneRun hanging = afterCompile(strict, 3);
  hanging.call(0, 0);
  EXPECT_EQ(verdictIn(hanging.lose(Blame::kernel, hang)).verdict, Verdict::hung);
  for (KernelSource& each : strict.kernels) each.language = "raw_cuda";
  OneRun launched = afterCompile(strict, 3);
  launched.call(0, 0);
  EXPECT_EQ(verdictIn(launched.lose(Blame::kernel)).verdict, Verdict::crashed);
}

TEST(AfterLoss, WhileAKernelIsAskedForMoreIsItsOwnAndNoVerdict) {
  OneRun run = afterCompile(twoKernels(), 1);
  run.call(0, 0);
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(SideStarted{0, 0, Side::candidate, false, 0});
  const auto events = run.lose(Blame::kernel);
  EXPECT_EQ(describe(run.report.losses[0]),
            "The worker was lost while asking a.cpp further questions: SIGSEGV");
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_THAT(std::get<Diagnosed>(events[0]).diagnostic.message,
              HasSubstr("its process ends (SIGSEGV) at other shapes or with other values"));
  EXPECT_EQ(run.report.kernels[0]->cases[0].check.verdict, Verdict::pass);
}

TEST(AfterLoss, LossesOfTheReferenceLeadToNoQuarantine) {
  OneRun run = afterCompile(twoKernels(), 9);
  for (std::uint32_t i = 0; i < 8; ++i) {
    run.take(StepStarted{Stage::check, 0, i});
    run.take(SideStarted{0, i, reference, false, 0});
    EXPECT_EQ(verdictIn(run.lose(Blame::reference, hang)).verdict, Verdict::invalid);
    run.handOver();
  }
  EXPECT_EQ(run.rest(), "0*: check 8, time 8; 1: check, time");
}

TEST(AfterLoss, AReferenceLostAfterTheCandidateRanIsTriedAlone) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.call(0, 0);
  run.take(SideStarted{0, 0, reference, false, 0});
  EXPECT_THAT(run.lose(Blame::reference), IsEmpty());  // no verdict yet
  run.handOver();
  EXPECT_EQ(run.rest(), "0*: check 0 1 2, time 0 1 2, alone 0; 1: check, time");
  // Alone it is lost as well: its own fault.
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(SideStarted{0, 0, reference, false, 0});
  EXPECT_EQ(verdictIn(run.lose(Blame::reference)).verdict, Verdict::invalid);
  EXPECT_EQ(run.rest(), "0*: check 1 2, time 1 2; 1: check, time");
}

TEST(AfterLoss, AKernelThatOnlyHurtsTheReferenceIsQuarantinedAsAnyOther) {
  OneRun run = afterCompile(twoKernels(), 9);
  std::uint32_t i = 0;
  for (; i < 3; ++i) {
    run.call(0, i);
    run.take(SideStarted{0, i, reference, false, 0});
    EXPECT_THAT(run.lose(Blame::reference), IsEmpty());  // no verdict yet
    run.handOver();
    run.take(StepStarted{Stage::check, 0, i});
    run.take(checkedStep(0, i, Verdict::crashed));
  }
  run.call(0, i);
  EXPECT_GT(run.lose(Blame::kernel).size(), 1U);
  EXPECT_EQ(run.rest(), "1: check, time");
}

TEST(AfterLoss, WhatComparesResultsMayDieOfTheCandidates) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.call(0, 0);
  run.take(SideStarted{0, 0, std::nullopt, false, 0});
  EXPECT_EQ(verdictIn(run.lose(Blame::kernel)).verdict, Verdict::crashed);
  run.handOver();
  run.take(StepStarted{Stage::check, 0, 1});
  EXPECT_THAT(verdictIn(run.lose(Blame::warpbench)).message, HasSubstr("making the inputs"));
}

TEST(AfterLoss, AReferenceLostWhileTimedLeavesTheAnswerRight) {
  OneRun run = afterCompile(twoKernels(), 1);
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(StepStarted{Stage::time, 0, 0});
  run.take(SideStarted{0, 0, reference, false, 0});
  const auto events = run.lose(Blame::reference, hang);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_TRUE(is<NoResult>(events[0]));
}

TEST(AfterLoss, AKernelThatHangsHasHung) {
  OneRun run = afterCompile(twoKernels(), 9);
  run.call(0, 1);
  EXPECT_EQ(verdictIn(run.lose(Blame::kernel, hang)).verdict, Verdict::hung);
}

}  // namespace
}  // namespace wb
