// SPDX-License-Identifier: Apache-2.0
// What a worker of ours would say, and what it would not.
#include "core/run/fit.h"

#include <gmock/gmock.h>

#include "core/run/remaining.h"
#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

TEST(FitTest, WhatAWorkerOfOursSaysFits) {
  OneRun run(twoKernels());
  StepDone whileTimed = checkedStep(0, 0, Verdict::mismatch);
  whileTimed.stage = Stage::time;
  const std::vector<Event> said{JobStarted{},
                                StepStarted{Stage::compile, 0, {}},
                                Diagnosed{0, {}},
                                compiledWith(0, 2),
                                StepStarted{Stage::check, 0, 0},
                                Log{"stdout", "x"},
                                checkedStep(0, 0, Verdict::pass),
                                StepStarted{Stage::check, 0, 1},
                                checkedStep(0, 1, Verdict::threw),
                                StepStarted{Stage::time, 0, 0},
                                whileTimed,
                                StepDone{Stage::time, 0, 0, NoResult{"wrong only while it was timed"}},
                                StepStarted{Stage::compile, 1, {}},
                                StageFailed{1, {}}};
  for (const Event& event : said) {
    const Fit fit = run.fits(event);
    EXPECT_EQ(fit.misfit, "") << event.index();
    EXPECT_FALSE(fit.ignored);
    run.take(event);
  }
  EXPECT_TRUE(run.fits(checkedStep(1, 0, Verdict::pass)).ignored);  // that kernel has failed
}

TEST(FitTest, WhatNoWorkerOfOursWouldSayDoesNot) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.take(JobStarted{});
  run.take(StepStarted{Stage::check, 0, 1});
  const std::vector<Event> lies{checkedStep(0, 0, Verdict::pass),  // of another case
                                checkedStep(0, 7, Verdict::pass),
                                checkedStep(1, 1, Verdict::pass),
                                checkedStep(0, 1, Verdict::quarantined),
                                checkedStep(0, 1, Verdict::missing),
                                StepStarted{Stage::check, 0, 2},  // while another is under way
                                StepStarted{Stage::check, 0, 9},
                                StepDone{Stage::time, 0, 1, CaseTiming{}},
                                StepDone{Stage::time, 0, 1, NoResult{""}},
                                StepDone{Stage::profile, 0, 1, ProfilePart{Side::candidate, {}, true}},
                                StepDone{Stage::profile, 0, 1, NoResult{""}},
                                compiledWith(0, 0),
                                compiledWith(1, 2),
                                compiledWith(4294967295U, 2),
                                StepStarted{Stage::compile, 0, {}},
                                StepStarted{Stage::compile, 2, {}},
                                Diagnosed{4294967295U, {}},
                                StageFailed{2, {}},
                                StepDone{Stage::profile, 2147483648U, {}, Listed{}},
                                JobStarted{},
                                WorkerLost{}};
  for (std::size_t i = 0; i < lies.size(); ++i) EXPECT_NE(run.fits(lies[i]).misfit, "") << i;
  run.take(checkedStep(0, 1, Verdict::pass));
  EXPECT_NE(run.fits(StepStarted{Stage::check, 0, 1}).misfit, "");  // it has its verdict
  EXPECT_NE(run.fits(checkedStep(0, 1, Verdict::pass)).misfit, "");
}

TEST(FitTest, AWorkerMayTakeBackWhatItHasSaidOfItsKernel) {
  OneRun run = afterCompile(twoKernels(), 3);
  run.take(JobStarted{});
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_NE(run.fits(checkedStep(0, 1, Verdict::tampered)).misfit, "") << "another case is under way";
  run.take(checkedStep(0, 0, Verdict::pass));
  EXPECT_NE(run.fits(checkedStep(0, 0, Verdict::mismatch)).misfit, "") << "it has its verdict";
  EXPECT_NE(run.fits(checkedStep(1, 0, Verdict::tampered)).misfit, "") << "it is at the other kernel";
  EXPECT_NE(run.fits(checkedStep(0, 3, Verdict::tampered)).misfit, "") << "there is no such case";
  EXPECT_EQ(run.fits(checkedStep(0, 0, Verdict::tampered)).misfit, "");
  run.take(checkedStep(0, 0, Verdict::tampered));
  EXPECT_TRUE(isClosed(run.report, 0));
  EXPECT_EQ(run.rest(), "1: check, time");
  EXPECT_TRUE(run.fits(StepStarted{Stage::check, 0, 1}).ignored);
  EXPECT_FALSE(run.fits(Diagnosed{0, {}}).ignored) << "what it leaves behind is said at its end";
  EXPECT_EQ(run.fits(StepStarted{Stage::compile, 1, {}}).misfit, "");
}

TEST(FitTest, AVerdictByAnotherToleranceThanTheJobsDoesNot) {
  const auto judgedBy = [](double rtol, double atol) {
    StepDone done = checkedStep(0, 0, Verdict::pass);
    auto& check = std::get<CaseCheck>(done.result);
    check.errors.emplace();
    check.rtol = rtol;
    check.atol = atol;
    return done;
  };
  const auto fits = [&](const Tolerance& tolerance, double rtol, double atol) {
    Job job = twoKernels();
    job.tolerance = tolerance;
    OneRun run = afterCompile(job, 1);
    run.take(StepStarted{Stage::check, 0, 0});
    return run.fits(judgedBy(rtol, atol)).misfit.empty();
  };
  EXPECT_TRUE(fits({}, 1.3e-6, 1e-5));
  EXPECT_TRUE(fits({}, 1e-7, 1e-7));
  EXPECT_TRUE(fits({}, 0, 0)) << "integers";
  EXPECT_FALSE(fits({}, 1e9, 1e9));
  EXPECT_FALSE(fits({}, 1e-2, 1e-2));
  EXPECT_TRUE(fits({"strict"}, 1.3e-6, 1e-5));
  EXPECT_TRUE(fits({"backendbench"}, 1e-2, 1e-2));
  EXPECT_FALSE(fits({"backendbench"}, 0.25, 1e-5));
  EXPECT_TRUE(fits({"given", 0.5, 0.25}, 0.5, 0.25));
  EXPECT_FALSE(fits({"given", 0.5, 0.25}, 1.3e-6, 1e-5));
}

TEST(FitTest, ACheckOnlyCaseIsNotTimed) {
  OneRun run(twoKernels());
  run.take(StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.cases.resize(1);
  compiled.cases[0].use = CaseUse::check;
  run.take(compiledStep(compiled));
  run.take(StepStarted{Stage::check, 0, 0});
  run.take(checkedStep(0, 0, Verdict::pass));
  EXPECT_NE(run.fits(StepStarted{Stage::time, 0, 0}).misfit, "");
}

TEST(FitTest, WhatIsNotItsWorkIsNotForItToSay) {
  OneRun run = afterCompile(twoKernels(), 4);
  run.work = {true, {{0, true, {{Stage::check, std::vector<std::uint32_t>{1, 2}}}, {}, {}, {}}}};
  handOver(run.at, run.work);
  EXPECT_NE(run.fits(JobStarted{}).misfit, "");  // another worker has said it
  EXPECT_NE(run.fits(StepStarted{Stage::compile, 1, {}}).misfit, "");
  EXPECT_EQ(run.fits(StepStarted{Stage::compile, 0, {}}).misfit, "");
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_NE(run.fits(compiledWith(0, 4)).misfit, "");
  EXPECT_NE(run.fits(StepStarted{Stage::check, 0, 0}).misfit, "");
  EXPECT_NE(run.fits(StepStarted{Stage::time, 0, 1}).misfit, "");
  EXPECT_EQ(run.fits(StepStarted{Stage::check, 0, 2}).misfit, "");
}

TEST(FitTest, AStageOfAWholeKernelIsDoneOnce) {
  const StepStarted start{Stage::sanitize, 0, {}};
  const StepDone result{Stage::sanitize, 0, {}, Sanitized{}};
  const StepDone nothing{Stage::sanitize, 0, {}, NoResult{"no tool"}};
  OneRun run = afterCompile(withStageOfTheKernel(), 2);
  EXPECT_NE(run.fits(result).misfit, "");  // it has not begun
  EXPECT_NE(run.fits(StepStarted{Stage::sanitize, 0, 0}).misfit, "");
  EXPECT_NE(run.fits(StepStarted{Stage::sanitize, 1, {}}).misfit, "");
  EXPECT_EQ(run.fits(start).misfit, "");
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_NE(run.fits(start).misfit, "");  // while a case is under way
  run.take(checkedStep(0, 0, Verdict::pass));
  run.take(start);
  EXPECT_NE(run.fits(StepStarted{Stage::check, 0, 1}).misfit, "");
  EXPECT_NE(run.fits(SideStarted{0, 0, Side::candidate, true, 0}).misfit, "");
  EXPECT_NE(run.fits(StepDone{Stage::sanitize, 0, 0, Sanitized{}}).misfit, "");
  EXPECT_EQ(run.fits(nothing).misfit, "");
  EXPECT_EQ(run.fits(result).misfit, "");
  run.take(result);
  EXPECT_NE(run.fits(start).misfit, "");
  EXPECT_NE(run.fits(result).misfit, "");
  EXPECT_EQ(run.fits(StepStarted{Stage::check, 0, 1}).misfit, "");
}

TEST(FitTest, BetweenItsStepsAKernelIsAskedAboutItsOwnCases) {
  OneRun run = afterCompile(twoKernels(), 2);
  EXPECT_EQ(run.fits(SideStarted{0, 1, Side::candidate, false, 0}).misfit, "");
  EXPECT_NE(run.fits(SideStarted{0, 2, Side::candidate, false, 0}).misfit, "") << "there is no such case";
  EXPECT_NE(run.fits(SideStarted{1, 0, Side::candidate, false, 0}).misfit, "") << "it is at the other kernel";
  EXPECT_NE(run.fits(SideStarted{0, 1, Side::candidate, false, 3}).misfit, "") << "the runner counts";
  run.take(StepStarted{Stage::check, 0, 0});
  EXPECT_NE(run.fits(SideStarted{0, 1, Side::candidate, false, 0}).misfit, "") << "case 0 is under way";
}

TEST(FitTest, AWorkerThatLoadsAKernelGoesOnWithTheStageOfTheWholeKernel) {
  OneRun run = afterCompile(withStageOfTheKernel(), 2);
  run.handOver();
  run.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(run.fits(StepStarted{Stage::sanitize, 0, {}}).misfit, "");
}

TEST(FitTest, AStageThatTheRunnerGivesItselfIsNotForAWorkerToSay) {
  Job job = withStageOfTheKernel();
  job.work.reset();
  OneRun run(job);
  EXPECT_NE(run.fits(StepStarted{Stage::sanitize, 0, {}}).misfit, "");
  EXPECT_NE(run.fits(StepDone{Stage::sanitize, 0, {}, Sanitized{}}).misfit, "");
}

TEST(FitTest, OfAKernelThatWasGivenUpMeanwhileNothingIsOfInterest) {
  OneRun run = afterCompile(twoKernels(), 4);
  run.take(StepStarted{Stage::check, 0, 0});
  WorkerLost elsewhere;
  elsewhere.kernel = 0;
  elsewhere.quarantines = true;
  fold(run.report, elsewhere);
  EXPECT_TRUE(run.fits(checkedStep(0, 0, Verdict::pass)).ignored);
}

}  // namespace
}  // namespace wb
