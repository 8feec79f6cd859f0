// SPDX-License-Identifier: Apache-2.0
#include "core/runner/run_progress.h"

#include <gmock/gmock.h>

#include "tests/core/runner/run_events.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The candidate's call in a case that has just started.
void call(RunProgress& progress, std::uint32_t kernel, std::uint32_t index, Stage stage = Stage::check) {
  progress.take(StepStarted{stage, kernel, index});
  progress.take(SideStarted{kernel, index, Side::candidate, true, 0});
}

/// The loss, and what it amounts to.
std::vector<Event> lose(RunProgress& progress, Blame blame, const RunProgress::Loss& loss = crash) {
  std::vector<Event> events = progress.lose(loss);
  const WorkerLost* lost = events.empty() ? nullptr : std::get_if<WorkerLost>(&events.front());
  EXPECT_NE(lost, nullptr);
  if (lost != nullptr) EXPECT_EQ(name(lost->blame), name(blame)) << lost->doing;
  if (lost != nullptr) events.erase(events.begin());
  return events;
}

TEST(RunProgress, EveryStepHasItsOwnPatience) {
  RunProgress progress(twoKernels(), 3);
  EXPECT_EQ(progress.patience(), 110);
  progress.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(progress.patience(), 110);
  progress.take(compiledWith(0, 2));
  EXPECT_EQ(progress.patience(), 40);
  progress.take(StepStarted{Stage::check, 0, 0});
  EXPECT_EQ(progress.patience(), 30);
  progress.take(StepStarted{Stage::time, 0, 0});
  EXPECT_EQ(progress.patience(), 36);
  EXPECT_TRUE(progress.timing());
  progress.handOver();
  EXPECT_EQ(progress.patience(), 110);
}

TEST(RunProgress, SayingTheSameAgainWinsNoTime) {
  RunProgress progress = afterCompile(twoKernels(), 2);
  EXPECT_TRUE(progress.take(StepStarted{Stage::check, 0, 0}));
  EXPECT_FALSE(progress.take(StepStarted{Stage::check, 0, 0}));
  EXPECT_FALSE(progress.take(Log{"stdout", "still here"}));
  EXPECT_FALSE(progress.take(Diagnosed{}));
}

TEST(RunProgress, SaysWhatIsUnderWay) {
  RunProgress progress(twoKernels(), 3);
  EXPECT_EQ(progress.activity(), "preparing a.cpp");
  progress.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(progress.activity(), "compiling a.cpp");
  progress.take(compiledWith(0, 2));
  EXPECT_EQ(progress.activity(), "between two steps of a.cpp");
  progress.take(StepStarted{Stage::time, 0, 1});
  EXPECT_EQ(progress.activity(), "timing case 2 of a.cpp");
}

TEST(RunProgress, TheRestStartsWhereTheWorkerWas) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 0, {}}));
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(checked(0, 1, Verdict::mismatch));
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 2, {0}}));
  progress.take(checked(0, 2, Verdict::pass));
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 0, {0, 2}}));
  progress.take(StepDone{Stage::time, 0, 0, CaseTiming{}});
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 2, {0, 2}}));
  progress.take(StepDone{Stage::time, 0, 2, NoResult{"no"}});
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
  progress.take(StageFailed{1, {}});
  EXPECT_EQ(progress.rest(), std::nullopt);
}

TEST(RunProgress, WithoutTheCheckStageEveryCaseIsTimed) {
  RunProgress progress = afterCompile(twoKernels(false), 2);
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 0, {0, 1}}));
  call(progress, 0, 0, Stage::time);
  EXPECT_EQ(lose(progress, Blame::kernel).size(), 1U);
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 1, {1}}));
}

TEST(RunProgress, WithoutTheTimeStageTheCheckIsTheEnd) {
  RunProgress progress = afterCompile(twoKernels(true, false), 1);
  progress.take(checked(0, 0, Verdict::pass));
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, ALossBetweenCasesBlamesNone) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  progress.take(StepStarted{Stage::check, 0, 0});
  progress.take(checked(0, 0, Verdict::threw));
  EXPECT_THAT(lose(progress, Blame::warpbench), IsEmpty());
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 1, {}}));
}

TEST(RunProgress, AWorkerLostWhileProfilingLeavesTheAnswerRight) {
  Job job = twoKernels();
  job.stages.add(Stage::profile);
  job.limits.profileSeconds = 50;
  RunProgress progress = afterCompile(job, 1);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(StepDone{Stage::time, 0, 0, CaseTiming{}});
  progress.take(StepStarted{Stage::profile, 0, 0});
  EXPECT_EQ(progress.patience(), 60);
  EXPECT_EQ(progress.activity(), "profiling case 1 of a.cpp");
  const auto events = lose(progress, Blame::profiler);
  ASSERT_EQ(events.size(), 1U);
  const auto* lost = resultIn<NoResult>(events[0]);
  ASSERT_NE(lost, nullptr);
  EXPECT_THAT(lost->reason, testing::HasSubstr("while it was profiled"));
  const auto rest = progress.rest();
  ASSERT_TRUE(rest);  // the next kernel: what could not be profiled is not tried again
  EXPECT_EQ(rest->kernel, 1U);
}

TEST(RunProgress, ALossBetweenTwoPartsOfAProfileIsOneWhileProfiling) {
  Job job = twoKernels();
  job.stages.add(Stage::profile);
  RunProgress progress = afterCompile(job, 1);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(StepDone{Stage::time, 0, 0, CaseTiming{}});
  progress.take(StepStarted{Stage::profile, 0, 0});
  EXPECT_TRUE(progress.take(StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, {}, false}}));
  ASSERT_EQ(lose(progress, Blame::profiler).size(), 1U);
  EXPECT_FALSE(progress.take(
      StepDone{Stage::profile, 0, 7, ProfilePart{Side::candidate, {}, false}}));  // there is no such case
}

TEST(RunProgress, LossesOfOneKernelAreNotCountedForTheNext) {
  RunProgress progress = afterCompile(twoKernels(true, false), 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    call(progress, 0, i);
    EXPECT_EQ(lose(progress, Blame::kernel).size(), 1U);
    progress.handOver();
  }
  progress.take(StepStarted{Stage::compile, 1, {}});
  progress.take(compiledWith(1, 5));
  call(progress, 1, 0);
  EXPECT_EQ(lose(progress, Blame::kernel).size(), 1U);
  EXPECT_EQ(progress.rest(), (Resume{1, "check", 1, {}}));
}

TEST(RunProgress, AWorkerThatNeverBeginsIsNotTriedForEver) {
  RunProgress progress(twoKernels(), 2);
  EXPECT_THAT(lose(progress, Blame::warpbench), IsEmpty());
  progress.handOver();
  const auto events = lose(progress, Blame::warpbench);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<StageFailed>(events[0]).error.stage, Stage::setup);
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, LossesOutsideTheKernelsCodeAreNotItsOwn) {
  RunProgress progress = afterCompile(twoKernels(true, false), 6);
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 3; ++i) {
    progress.take(StepStarted{Stage::check, 0, i});
    progress.take(checked(0, i, Verdict::pass));
    events = lose(progress, Blame::warpbench);
    progress.handOver();
  }
  ASSERT_EQ(events.size(), 3U);  // the run goes on with the next kernel, and says whose fault it is
  for (const Event& event : events) {
    const auto* left = resultIn<CaseCheck>(event);
    ASSERT_NE(left, nullptr);
    EXPECT_EQ(left->verdict, Verdict::missing);
    EXPECT_THAT(left->message, testing::HasSubstr("Warpbench lost its worker 3 times"));
    EXPECT_THAT(left->message, testing::Not(testing::HasSubstr("this kernel has ended")));
  }
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, ACaseThatBrokeItsDeviceIsToBlameForTheEndOfTheProcess) {
  RunProgress progress = afterCompile(twoKernels(), 2);
  progress.take(StepStarted{Stage::check, 0, 0});
  progress.take(checked(0, 0, Verdict::crashed));
  EXPECT_THAT(lose(progress, Blame::kernel), IsEmpty());  // by a signal, in its driver's clean-up
  progress.handOver();
  progress.take(StepStarted{Stage::compile, 0, {}});
  progress.take(StepStarted{Stage::check, 0, 1});
  progress.take(checked(0, 1, Verdict::pass));
  const RunProgress::Loss inOrder{Verdict::crashed, "its device can no longer be used", "", true};
  EXPECT_THAT(lose(progress, Blame::kernel, inOrder), IsEmpty());
}

TEST(RunProgress, LoadingTheKernelAgainIsItsOwnCode) {
  RunProgress progress = afterCompile(twoKernels(), 2);
  progress.handOver();
  progress.take(StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(progress.patience(), 110);
  EXPECT_THAT(lose(progress, Blame::kernel), IsEmpty());  // what it compiled to stays
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 0, {}}));
}

TEST(RunProgress, WhatAWorkerOfOursSaysFits) {
  RunProgress progress(twoKernels(), 3);
  StepDone mismatch = checked(0, 0, Verdict::mismatch);
  mismatch.stage = Stage::time;
  const std::vector<Event> run{JobStarted{},
                               StepStarted{Stage::compile, 0, {}},
                               Diagnosed{0, {}},
                               compiledWith(0, 2),
                               StepStarted{Stage::check, 0, 0},
                               Log{"stdout", "x"},
                               checked(0, 0, Verdict::pass),
                               StepStarted{Stage::check, 0, 1},
                               checked(0, 1, Verdict::threw),
                               StepStarted{Stage::time, 0, 0},
                               mismatch,
                               StepDone{Stage::time, 0, 0, NoResult{"wrong only while it was timed"}},
                               StepStarted{Stage::compile, 1, {}},
                               StageFailed{1, {}}};
  for (const Event& event : run) {
    const RunProgress::Fit fit = progress.fit(event);
    EXPECT_EQ(fit.misfit, "") << event.index();
    EXPECT_FALSE(fit.ignored);
    progress.take(event);
  }
  EXPECT_TRUE(progress.fit(checked(1, 0, Verdict::pass)).ignored);  // that kernel has failed
}

TEST(RunProgress, WhatNoWorkerOfOursWouldSayDoesNot) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  progress.take(JobStarted{});
  progress.take(StepStarted{Stage::check, 0, 1});
  const std::vector<Event> lies{checked(0, 0, Verdict::pass),  // of another case
                                checked(0, 7, Verdict::pass),
                                checked(1, 1, Verdict::pass),
                                checked(0, 1, Verdict::quarantined),
                                checked(0, 1, Verdict::missing),
                                StepStarted{Stage::check, 0, 2},  // while another is under way
                                StepStarted{Stage::check, 0, 9},
                                StepDone{Stage::time, 0, 1, CaseTiming{}},
                                StepDone{Stage::check, 0, 1, CaseTiming{}},  // no check gives a time
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
                                StepDone{Stage::profile, 2147483648U, {}, Listed{{}}},
                                JobStarted{},
                                WorkerLost{}};
  for (std::size_t i = 0; i < lies.size(); ++i) EXPECT_NE(progress.fit(lies[i]).misfit, "") << i;
  progress.take(checked(0, 1, Verdict::pass));
  EXPECT_NE(progress.fit(StepStarted{Stage::check, 0, 1}).misfit, "");  // it has its verdict
  EXPECT_NE(progress.fit(checked(0, 1, Verdict::pass)).misfit, "");
}

TEST(RunProgress, AfterTamperingNoVerdictIsLeft) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  progress.take(StepStarted{Stage::check, 0, 0});
  progress.take(checked(0, 0, Verdict::pass));
  const auto events = lose(progress, Blame::kernel, {Verdict::tampered, "a message came", "", false});
  ASSERT_EQ(events.size(), 3U);
  for (const Event& event : events) {
    ASSERT_TRUE(is<CaseCheck>(event));
    EXPECT_EQ(resultIn<CaseCheck>(event)->verdict, Verdict::tampered);
  }
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, EventsOutOfRangeChangeNothing) {
  RunProgress progress = afterCompile(twoKernels(), 1);
  EXPECT_FALSE(progress.take(StepStarted{Stage::check, 7, 0}));
  EXPECT_FALSE(progress.take(StepStarted{Stage::check, 0, 1}));
  EXPECT_FALSE(progress.take(checked(0, 9, Verdict::pass)));
  EXPECT_FALSE(progress.take(compiledWith(2, 4)));
  EXPECT_FALSE(progress.take(StepStarted{Stage::compile, 2, {}}));
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 0, {}}));
}

}  // namespace
}  // namespace wb
