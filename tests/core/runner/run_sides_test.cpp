// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: limits, and whose fault a loss is.
#include <gmock/gmock.h>

#include "tests/core/runner/run_events.h"

namespace wb {
namespace {

using testing::SizeIs;

const RunProgress::Loss hang{Verdict::hung, "did not finish within 30.0 s", "", false};
constexpr auto candidate = Side::candidate, reference = Side::reference;

/// The candidate's call in a case that has just started.
void call(RunProgress& progress, std::uint32_t kernel, std::uint32_t index, Stage stage = Stage::check) {
  progress.take(StepStarted{stage, kernel, index});
  progress.take(SideStarted{kernel, index, reference, false, 0});
  progress.take(SideStarted{kernel, index, candidate, true, 0});
}

/// The verdict that a loss amounts to, behind the loss itself.
const CaseCheck& verdictIn(const std::vector<Event>& events) {
  static const CaseCheck none;
  const auto* found = events.size() == 2 ? resultIn<CaseCheck>(events[1]) : nullptr;
  EXPECT_NE(found, nullptr) << events.size() << " events";
  return found ? *found : none;
}

TEST(RunSides, ALossWhileTheReferenceRunsMakesTheCaseVoid) {
  for (const auto& [loss, words] : {std::pair{crash, "the reference crashed: SIGSEGV"},
                                    std::pair{hang, "the reference did not finish within 30.0 s"}}) {
    RunProgress progress = afterCompile(twoKernels(), 3);
    progress.take(StepStarted{Stage::check, 0, 0});
    progress.take(SideStarted{0, 0, reference, false, 0});
    EXPECT_EQ(progress.blame(loss), Blame::reference);
    const auto events = progress.lose(loss);
    EXPECT_EQ(verdictIn(events).verdict, Verdict::invalid);
    EXPECT_EQ(verdictIn(events).message, words);
    EXPECT_EQ(progress.rest(), (Resume{0, "check", 1, {}}));
  }
}

TEST(RunSides, LossesOfTheReferenceLeadToNoQuarantine) {
  RunProgress progress = afterCompile(twoKernels(), 9);
  for (std::uint32_t i = 0; i < 8; ++i) {
    progress.take(StepStarted{Stage::check, 0, i});
    progress.take(SideStarted{0, i, reference, false, 0});
    EXPECT_EQ(verdictIn(progress.lose(hang)).verdict, Verdict::invalid);
    progress.handOver();
  }
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 8, {}}));
}

TEST(RunSides, AReferenceLostAfterTheCandidateRanIsTriedAlone) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  call(progress, 0, 0);
  progress.take(SideStarted{0, 0, reference, false, 0});
  EXPECT_THAT(progress.lose(crash), SizeIs(1));  // no verdict yet
  progress.handOver();
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 0, {}, true}));
  // Alone it is lost as well: its own fault.
  progress.take(StepStarted{Stage::check, 0, 0});
  progress.take(SideStarted{0, 0, reference, false, 0});
  EXPECT_EQ(verdictIn(progress.lose(crash)).verdict, Verdict::invalid);
  EXPECT_EQ(progress.rest(), (Resume{0, "check", 1, {}}));
}

TEST(RunSides, AKernelThatOnlyHurtsTheReferenceIsQuarantinedAsAnyOther) {
  RunProgress progress = afterCompile(twoKernels(), 9);
  std::uint32_t i = 0;
  for (; i < 3; ++i) {
    call(progress, 0, i);
    progress.take(SideStarted{0, i, reference, false, 0});
    EXPECT_THAT(progress.lose(crash), SizeIs(1));  // no verdict yet
    progress.handOver();
    progress.take(StepStarted{Stage::check, 0, i});
    progress.take(checked(0, i, Verdict::crashed));
  }
  call(progress, 0, i);
  EXPECT_GT(progress.lose(crash).size(), 2U);
  EXPECT_EQ(progress.rest(), (Resume{1, "compile", 0, {}}));
}

TEST(RunSides, WhatComparesResultsMayDieOfTheCandidates) {
  RunProgress progress = afterCompile(twoKernels(), 3);
  call(progress, 0, 0);
  progress.take(SideStarted{0, 0, std::nullopt, false, 0});
  EXPECT_EQ(verdictIn(progress.lose(crash)).verdict, Verdict::crashed);
  progress.handOver();
  progress.take(StepStarted{Stage::check, 0, 1});
  EXPECT_THAT(verdictIn(progress.lose(crash)).message, testing::HasSubstr("making the inputs"));
}

TEST(RunSides, AReferenceLostWhileTimedLeavesTheAnswerRight) {
  RunProgress progress = afterCompile(twoKernels(), 1);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(StepStarted{Stage::time, 0, 0});
  progress.take(SideStarted{0, 0, reference, false, 0});
  const auto events = progress.lose(hang);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_NE(resultIn<NoResult>(events[1]), nullptr);
}

TEST(RunSides, AFirstCallOfALanguageThatTunesHasALimitOfItsOwn) {
  Job job = twoKernels();
  job.kernels[0].language = "triton";
  RunProgress progress(job, 3);
  progress.take(StepStarted{Stage::compile, 0, {}});
  progress.take(compiledWith(0, 3));
  progress.take(StepStarted{Stage::check, 0, 0});
  EXPECT_TRUE(progress.take(SideStarted{0, 0, candidate, true, 0}));
  EXPECT_EQ(progress.patience(), 300);
  EXPECT_EQ(progress.purse(), RunProgress::Purse::firstCall);
  ASSERT_TRUE(progress.caseUnderWay());
  EXPECT_TRUE(progress.caseUnderWay()->first);
  EXPECT_THAT(progress.overdue(), testing::HasSubstr("its first call did not finish within 300"));
  EXPECT_TRUE(progress.take(SideStarted{0, 0, reference, false, 0}));
  EXPECT_EQ(progress.patience(), 30);
  // A second first call is none, so that saying so wins no time.
  EXPECT_TRUE(progress.take(SideStarted{0, 0, candidate, true, 0}));
  EXPECT_EQ(progress.patience(), 30);
  progress.take(checked(0, 0, Verdict::pass));
  progress.take(StepStarted{Stage::check, 0, 1});  // another shape may tune again
  progress.take(SideStarted{0, 1, candidate, true, 0});
  EXPECT_EQ(progress.patience(), 300);
}

TEST(RunSides, AFirstCallOfACompiledLanguageIsACall) {
  RunProgress progress(twoKernels(), 3);
  progress.take(StepStarted{Stage::compile, 0, {}});
  progress.take(compiledWith(0, 3));
  call(progress, 0, 0);
  EXPECT_EQ(progress.patience(), 30);
  EXPECT_FALSE(progress.caseUnderWay()->first);
}

TEST(RunSides, AKernelThatHasHungGetsShortLimits) {
  RunProgress progress = afterCompile(twoKernels(), 9);
  call(progress, 0, 1);
  EXPECT_EQ(verdictIn(progress.lose(hang)).verdict, Verdict::hung);
  progress.handOver();
  call(progress, 0, 2);
  EXPECT_EQ(progress.patience(), 5);
  EXPECT_EQ(progress.overdue(), "did not finish within 5.00 s, a short limit since it hung in case 2");
  progress.take(SideStarted{0, 2, reference, false, 0});
  EXPECT_EQ(progress.patience(), 30);
}

}  // namespace
}  // namespace wb
