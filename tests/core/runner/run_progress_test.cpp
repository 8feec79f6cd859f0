// SPDX-License-Identifier: Apache-2.0
#include "core/runner/run_progress.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Job twoKernels(bool check = true, bool time = true) {
  Job job;
  job.kernels = {{"dir/a.cpp", "", "", ""}, {"b.cpp", "", "", ""}};
  job.stages = {check, time};
  job.limits.compileSeconds = 100;
  job.limits.caseSeconds = 30;
  job.timing.capSeconds = 2;
  return job;
}

Compiled compiledWith(std::uint32_t kernel, std::size_t cases) {
  Compiled event;
  event.kernel = kernel;
  event.cases.resize(cases);
  return event;
}

CaseChecked checked(std::uint32_t kernel, std::uint32_t index, Verdict verdict) {
  CaseChecked event{kernel, index, {}};
  event.check.verdict = verdict;
  return event;
}

RunProgress afterCompile(const Job& job, std::size_t cases) {
  RunProgress progress(job, 3);
  progress.take(CompileStarted{0, "torch_cpp"});
  progress.take(compiledWith(0, cases));
  return progress;
}

const RunProgress::Loss crash{Verdict::crashed, "SIGSEGV", ""};

TEST(RunProgress, EveryStepHasItsOwnPatience) {
  RunProgress progress(twoKernels(), 3);
  EXPECT_EQ(progress.patience(), 110);
  progress.take(CompileStarted{0, ""});
  EXPECT_EQ(progress.patience(), 110);
  progress.take(compiledWith(0, 2));
  EXPECT_EQ(progress.patience(), 40);
  progress.take(CaseStarted{0, Stage::check, 0});
  EXPECT_EQ(progress.patience(), 30);
  progress.take(CaseStarted{0, Stage::time, 0});
  EXPECT_EQ(progress.patience(), 36);
  EXPECT_TRUE(progress.timing());
  progress.handOver();
  EXPECT_EQ(progress.patience(), 110);
}

TEST(RunProgress, SayingTheSameAgainWinsNoTime) {
  RunProgress progress = afterCompile(twoKernels(), 2);
  EXPECT_TRUE(progress.take(CaseStarted{0, Stage::check, 0}));
  EXPECT_FALSE(progress.take(CaseStarted{0, Stage::check, 0}));
  EXPECT_FALSE(progress.take(Log{"stdout", "still here"}));
  EXPECT_FALSE(progress.take(Diagnosed{}));
}

TEST(RunProgress, SaysWhatIsUnderWay) {
  RunProgress progress(twoKernels(), 3);
  EXPECT_EQ(progress.activity(), "preparing a.cpp");
  progress.take(CompileStarted{0, ""});
  EXPECT_EQ(progress.activity(), "compiling a.cpp");
  progress.take(compiledWith(0, 2));
  EXPECT_EQ(progress.activity(), "between two steps of a.cpp");
  progress.take(CaseStarted{0, Stage::time, 1});
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
  progress.take(CaseTimed{0, 0, {}});
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 2, {0, 2}}));
  progress.take(CaseNotTimed{0, 2, "no"});
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
  progress.take(StageFailed{1, {}});
  EXPECT_EQ(progress.rest(), std::nullopt);
}

TEST(RunProgress, WithoutTheCheckStageEveryCaseIsTimed) {
  RunProgress progress = afterCompile(twoKernels(false), 2);
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 0, {0, 1}}));
  progress.take(CaseStarted{0, Stage::time, 0});
  EXPECT_EQ(progress.lose(crash).size(), 1U);
  EXPECT_EQ(progress.rest(), (Resume{0, "time", 1, {1}}));
}

TEST(RunProgress, WithoutTheTimeStageTheCheckIsTheEnd) {
  RunProgress progress = afterCompile(twoKernels(true, false), 1);
  progress.take(checked(0, 0, Verdict::pass));
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, ALossBetweenCasesBlamesNone) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  progress.take(CaseStarted{0, Stage::check, 0});
  progress.take(checked(0, 0, Verdict::threw));
  EXPECT_THAT(progress.lose(crash), IsEmpty());
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 1, {}}));
}

TEST(RunProgress, AWorkerLostWhileProfilingLeavesTheAnswerRight) {
  Job job = twoKernels();
  job.stages.profile = true;
  job.limits.profileSeconds = 50;
  RunProgress progress = afterCompile(job, 1);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(CaseTimed{0, 0, {}});
  progress.take(CaseStarted{0, Stage::profile, 0});
  EXPECT_EQ(progress.patience(), 60);
  EXPECT_EQ(progress.activity(), "profiling case 1 of a.cpp");
  const auto events = progress.lose(crash);
  ASSERT_EQ(events.size(), 1U);
  const auto* lost = std::get_if<CaseNotProfiled>(&events[0]);
  ASSERT_NE(lost, nullptr);
  EXPECT_THAT(lost->reason, testing::HasSubstr("while it was profiled"));
  const auto rest = progress.rest();
  ASSERT_TRUE(rest);  // the next kernel: what could not be profiled is not tried again
  EXPECT_EQ(rest->kernel, 1U);
}

TEST(RunProgress, ALossBetweenTwoPartsOfAProfileIsOneWhileProfiling) {
  Job job = twoKernels();
  job.stages.profile = true;
  RunProgress progress = afterCompile(job, 1);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(CaseTimed{0, 0, {}});
  progress.take(CaseStarted{0, Stage::profile, 0});
  EXPECT_TRUE(progress.take(CaseProfiled{0, 0, Side::candidate, {}, false}));
  ASSERT_EQ(progress.lose(crash).size(), 1U);
  EXPECT_FALSE(progress.take(CaseProfiled{0, 7, Side::candidate, {}, false}));  // there is no such case
}

TEST(RunProgress, LossesOfOneKernelAreNotCountedForTheNext) {
  RunProgress progress = afterCompile(twoKernels(true, false), 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    progress.take(CaseStarted{0, Stage::check, i});
    EXPECT_EQ(progress.lose(crash).size(), 1U);
    progress.handOver();
  }
  progress.take(CompileStarted{1, ""});
  progress.take(compiledWith(1, 5));
  progress.take(CaseStarted{1, Stage::check, 0});
  EXPECT_EQ(progress.lose(crash).size(), 1U);
  EXPECT_EQ(progress.rest(), (Resume{1, "check", 1, {}}));
}

TEST(RunProgress, AWorkerThatNeverBeginsIsNotTriedForEver) {
  RunProgress progress(twoKernels(), 2);
  EXPECT_THAT(progress.lose(crash), IsEmpty());
  progress.handOver();
  const auto events = progress.lose(crash);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<StageFailed>(events[0]).error.stage, Stage::setup);
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunProgress, EventsOutOfRangeChangeNothing) {
  RunProgress progress = afterCompile(twoKernels(), 1);
  EXPECT_FALSE(progress.take(CaseStarted{7, Stage::check, 0}));
  EXPECT_FALSE(progress.take(CaseStarted{0, Stage::check, 1}));
  EXPECT_FALSE(progress.take(checked(0, 9, Verdict::pass)));
  EXPECT_FALSE(progress.take(compiledWith(2, 4)));
  EXPECT_FALSE(progress.take(CompileStarted{2, ""}));
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 0, {}}));
}

}  // namespace
}  // namespace wb
