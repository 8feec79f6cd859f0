// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"
#include "core/model/exit/exit_status.h"

#include <gmock/gmock.h>

#include <random>

#include "core/model/json/json_fields.h"
#include "tests/core/model/samples.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using samples::makeCase;
using samples::timing;
using ::testing::HasSubstr;

StepDone checked(std::uint32_t index, Verdict verdict, std::uint32_t kernel = 0) {
  return checkedStep(kernel, index, verdict);
}
StepDone timed(std::uint32_t index) {
  return {Stage::time, 0, index, timing(2e-6, 1e-6)};
}

Report compiledReport(int cases, Stages stages = {Stage::check, Stage::time}) {
  Job job;
  job.kernels = {{"relu.cpp", "text", "torch_cpp", "relu"}};
  job.stages = stages;
  Report report = startReport(job);
  Compiled compiled;
  compiled.op = "aten::relu";
  for (int i = 0; i < cases; ++i) compiled.cases.push_back(makeCase(i));
  fold(report, JobStarted{{"cpu", "", "", "", "", ""}, "2026-01-02T03:04:05Z"});
  fold(report, StepStarted{Stage::compile, 0, {}});
  fold(report, compiledStep(compiled));
  return report;
}
const KernelReport& kernelOf(const Report& report) {
  return *report.kernels.at(0);
}
int finishedStatus(Report report) {
  fold(report, Finished{Outcome::finished, 1});
  return exitStatus(report);
}

TEST(FoldTest, FollowsAKernelThroughItsStages) {
  Job job = samples::job();
  job.stages = {Stage::check, Stage::time};
  Report report = startReport(job);
  EXPECT_EQ(report.suite, "smoke");
  EXPECT_EQ(report.seed, job.seed);
  ASSERT_EQ(report.kernels.size(), 2U);
  EXPECT_EQ(kernelOf(report).progress, Progress::waiting);
  fold(report, StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::compile));
  fold(report, StepDone{Stage::compile,
                        0,
                        {},
                        Compiled{"aten::relu", "", 1, false, "", "", {}, {makeCase(1), makeCase(2)}}});
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::check));
  EXPECT_TRUE(kernelOf(report).compiled->cases.empty());
  EXPECT_EQ(kernelOf(report).cases[1].definition, makeCase(2));
  fold(report, StepStarted{Stage::check, 0, 0});
  fold(report, checked(0, Verdict::pass));
  fold(report, checked(1, Verdict::pass));
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::time));  // two are to be timed
  fold(report, StepStarted{Stage::time, 0, 0});
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::time));
  fold(report, timed(0));
  EXPECT_EQ(kernelOf(report).counts, (Counts{2, 2, 2, 0, 0, 2, 1}));
  fold(report, timed(1));
  EXPECT_EQ(kernelOf(report).progress, Progress::done);  // before the job is
  EXPECT_EQ(report.outcome, Outcome::running);
  EXPECT_EQ(report.kernels[1]->progress, Progress::waiting);
}

TEST(FoldTest, AKernelWithNothingToTimeIsDoneWithItsLastCheck) {
  Report report = compiledReport(2);
  fold(report, checked(0, Verdict::mismatch));
  fold(report, checked(1, Verdict::invalid));
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
  EXPECT_EQ(kernelOf(report).counts, (Counts{2, 2, 0, 1, 1, 0, 0}));
  EXPECT_EQ(kernelOf(compiledReport(2, {})).progress, Progress::done);
}

TEST(FoldTest, ACrashWhileTimingOverridesThePassAndItsTime) {
  Report report = compiledReport(2);
  fold(report, checked(0, Verdict::pass));
  fold(report, timed(0));
  EXPECT_EQ(counts(report), (Counts{2, 1, 1, 0, 0, 1, 1}));
  fold(report, checked(0, Verdict::crashed));
  EXPECT_EQ(counts(report), (Counts{2, 1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_FALSE(kernelOf(report).cases[0].timing);
  fold(report, timed(0));
  EXPECT_FALSE(kernelOf(report).cases[0].timing);
  EXPECT_THAT(report.log[report.log.size() - 1].text, HasSubstr("timed"));
}

TEST(FoldTest, ACaseThatCouldNotBeTimedIsNotWaitedFor) {
  Report report = compiledReport(1);
  fold(report, checked(0, Verdict::pass));
  fold(report, StepDone{Stage::time, 0, 0, NoResult{"too noisy"}});
  EXPECT_EQ(kernelOf(report).cases[0].notTimed, "too noisy");
  EXPECT_EQ(kernelOf(report).counts, (Counts{1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
}

TEST(FoldTest, AProfileArrivesInPartsAndEndsTheKernel) {
  Report report = compiledReport(2, {Stage::check, Stage::profile});
  fold(report, checked(0, Verdict::pass));
  fold(report, checked(1, Verdict::pass));
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::profile));
  SideProfile launches, activities;
  launches.launches.resize(2);
  launches.notes = {"first"};
  activities.activities.resize(3);
  activities.notes = {"second"};
  fold(report, StepDone{Stage::profile, 0, 1, ProfilePart{Side::candidate, launches, false}});
  fold(report, StepDone{Stage::profile, 0, 1, ProfilePart{Side::candidate, activities, false}});
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::profile));
  fold(report, StepDone{Stage::profile, 0, 1, ProfilePart{Side::reference, launches, true}});
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
  EXPECT_FALSE(kernelOf(report).cases[0].profile);
  const CaseProfile& profile = **kernelOf(report).cases[1].profile;
  EXPECT_EQ(profile.candidate.launches.size(), 2U);
  EXPECT_EQ(profile.candidate.activities.size(), 3U);
  EXPECT_EQ(profile.candidate.notes, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(profile.reference.launches.size(), 2U);
}

TEST(FoldTest, ACaseThatCouldNotBeProfiledIsNotWaitedFor) {
  Report report = compiledReport(1, {Stage::check, Stage::profile});
  fold(report, checked(0, Verdict::pass));
  fold(report, StepDone{Stage::profile, 0, 0, NoResult{"no counters"}});
  EXPECT_EQ((*kernelOf(report).cases[0].profile)->notProfiled, "no counters");
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
  Report failed = compiledReport(1, {Stage::check, Stage::profile});
  fold(failed, checked(0, Verdict::mismatch));
  EXPECT_EQ(kernelOf(failed).progress, Progress::done);  // nothing passed: nothing to profile
}

TEST(FoldTest, CompilingAgainAfterALostWorkerKeepsWhatIsKnown) {
  Report report = compiledReport(3);
  fold(report, checked(0, Verdict::pass));
  fold(report, checked(1, Verdict::crashed));
  fold(report, JobStarted{{"cpu", "", "", "", "", "other"}, "2026-01-02T04:00:00Z"});
  fold(report,
       StepDone{Stage::compile,
                0,
                {},
                Compiled{"aten::relu", "", 1, true, "", "", {}, {makeCase(0), makeCase(1), makeCase(2)}}});
  EXPECT_EQ(report.startedAt, "2026-01-02T03:04:05Z");
  EXPECT_EQ(report.target.host, "other");
  EXPECT_EQ(counts(report), (Counts{3, 2, 1, 1, 0, 1, 0, 0, 1}));
  fold(report,
       StepDone{Stage::compile,
                0,
                {},
                Compiled{"aten::relu", "", 1, true, "", "", {}, {makeCase(9)}}});  // other cases: all anew
  EXPECT_EQ(counts(report), (Counts{1, 0, 0, 0, 0, 0, 0}));
}

TEST(FoldTest, WhatDoesNotFitBecomesALogLine) {
  const Event misfits[] = {
      StepStarted{Stage::compile, 1, {}},
      Diagnosed{7, {}},
      StepDone{Stage::compile, 4294967295U, {}, Compiled{"", "", 0, false, "", "", {}, {}}},
      StepStarted{Stage::check, 0, 2},
      checked(2, Verdict::pass),
      checked(0, Verdict::pass, 1),
      StepDone{Stage::time, 0, 4294967295U, CaseTiming{}},
      StepDone{Stage::time, 3, 0, NoResult{""}},
      StageFailed{1, {}}};
  for (const Event& event : misfits) {
    Report report = compiledReport(2);
    const Report before = report;
    fold(report, event);
    ASSERT_EQ(report.log.size(), 1U) << event.index();
    EXPECT_THAT(report.log[0].text, HasSubstr("did not fit"));
    EXPECT_EQ(report.kernels, before.kernels);
  }
}

TEST(FoldTest, AHugeMisfitIsCut) {
  Report report = compiledReport(1);
  fold(report, Diagnosed{5, {Severity::error, std::string(1 << 20, 'x'), "", {}, ""}});
  EXPECT_LT(report.log[0].text.size(), 3000U);
}

TEST(FoldTest, OnlyTheFirstFailureIsTheFailure) {
  Report report = compiledReport(1);
  fold(report, StageFailed{0, {Stage::compile, "first", "", {}}});
  fold(report, StageFailed{0, {Stage::time, "second", "", {}}});
  fold(report, StageFailed{std::nullopt, {Stage::setup, "job", "", {}}});
  fold(report, StageFailed{std::nullopt, {Stage::setup, "again", "", {}}});
  EXPECT_EQ(kernelOf(report).failure->text, "first");
  EXPECT_EQ(report.failure->text, "job");
  EXPECT_EQ(kernelOf(report).progress, Progress::failed);
  EXPECT_EQ(report.log.size(), 2U);
}

TEST(FoldTest, SnapshotsDoNotSeeLaterEventsAndShareWhatDidNotChange) {
  constexpr std::size_t cases = 3 * SharedSequence<CaseRow>::chunkSize;
  Report report = compiledReport(cases);
  const Report snapshot = report;
  EXPECT_EQ(snapshot.kernels[0].identity(), report.kernels[0].identity());
  fold(report, checked(0, Verdict::pass));
  EXPECT_NE(snapshot.kernels[0].identity(), report.kernels[0].identity());
  EXPECT_EQ(kernelOf(snapshot).cases[0].check.verdict, Verdict::notRun);
  EXPECT_EQ(kernelOf(snapshot).counts.checked, 0);
  const auto& before = kernelOf(snapshot).cases.chunks();
  const auto& after = kernelOf(report).cases.chunks();
  EXPECT_NE(before[0].identity(), after[0].identity());
  EXPECT_EQ(before[1].identity(), after[1].identity());
  EXPECT_EQ(before[2].identity(), after[2].identity());
}

TEST(FoldTest, AnEventWritesAtMostOneChunkHoweverManyCasesThereAre) {
  Report report = compiledReport(20000);
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const Report snapshot = report;  // as the window takes one
    fold(report, checked(static_cast<std::uint32_t>(random() % 20000), Verdict::pass));
    const auto& before = kernelOf(snapshot).cases.chunks();
    const auto& after = kernelOf(report).cases.chunks();
    std::size_t changed = 0;
    for (std::size_t c = 0; c < after.size(); ++c) changed += before[c].identity() != after[c].identity();
    ASSERT_EQ(changed, 1U);
  }
}

TEST(FoldTest, WithoutASnapshotNothingIsCopied) {
  Report report = compiledReport(1000);
  const void* kernel = report.kernels[0].identity();
  const void* chunk = kernelOf(report).cases.chunks()[0].identity();
  for (std::uint32_t i = 0; i < 1000; ++i) fold(report, checked(i, Verdict::pass));
  EXPECT_EQ(report.kernels[0].identity(), kernel);
  EXPECT_EQ(kernelOf(report).cases.chunks()[0].identity(), chunk);
}

/// Counts from the rows, as fold keeps them.
Counts recount(const Report& report) {
  Counts sum;
  for (const auto& kernel : report.kernels) {
    for (std::size_t i = 0; i < kernel->cases.size(); ++i) {
      const CaseRow& row = kernel->cases[i];
      const Tally result = tally(row.check.verdict);
      ++sum.total;
      sum.checked += row.check.verdict != Verdict::notRun;
      sum.passed += result == Tally::pass;
      sum.failed += result == Tally::fail;
      sum.crashed += endedItsWorker(row.check.verdict);
      sum.neutral += row.check.verdict == Verdict::invalid;
      const bool wanted =
          report.stages.has(Stage::time) && row.notTimed.empty() &&
          (result == Tally::pass || (!report.stages.has(Stage::check) && result != Tally::fail));
      sum.toTime += wanted;
      sum.timed += wanted && row.timing;
    }
  }
  return sum;
}

TEST(FoldTest, CountsAgreeWithTheRowsAfterAnyEvents) {
  std::mt19937 random(23);
  for (int run = 0; run < 200; ++run) {
    Job job;
    job.kernels.resize(1 + random() % 3);
    job.stages = {};
    job.stages.set(Stage::check, random() % 4 != 0).set(Stage::time, random() % 4 != 0);
    Report report = startReport(job);
    for (int i = 0; i < 120; ++i) {
      const auto kernel = static_cast<std::uint32_t>(random() % 4),
                 index = static_cast<std::uint32_t>(random() % 6);
      switch (random() % 8) {
        case 0: {
          Compiled compiled;
          for (int c = 0; c < static_cast<int>(random() % 5); ++c) compiled.cases.push_back(makeCase(c));
          fold(report, compiledStep(compiled, kernel));
          break;
        }
        case 1:
          fold(report, StepDone{Stage::time, kernel, index, timing(1, 1)});
          break;
        case 2:
          fold(report, StepDone{Stage::time, kernel, index, NoResult{"noisy"}});
          break;
        case 3:
          fold(report, StepStarted{random() % 2 ? Stage::check : Stage::time, kernel, index});
          break;
        default:
          fold(report, checked(index, static_cast<Verdict>(random() % enumValues<Verdict>.size()), kernel));
      }
      const Counts sum = counts(report);
      ASSERT_EQ(sum, recount(report));
      ASSERT_EQ(sum.checked, sum.passed + sum.failed + sum.neutral);
      ASSERT_LE(sum.timed, sum.toTime);
    }
  }
}

TEST(ExitStatusTest, WhatTheSanitizerFoundIsAFailure) {
  const auto watched = [](int errors) {
    Report report = compiledReport(1, {Stage::check, Stage::sanitize});
    fold(report, checked(0, Verdict::pass));
    EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::sanitize));
    if (errors >= 0)
      fold(report, StepDone{Stage::sanitize, 0, {}, Sanitized{"memcheck", 3, errors, true, {}}});
    return report;
  };
  EXPECT_EQ(finishedStatus(watched(0)), 0) << "warnings are none";
  EXPECT_EQ(finishedStatus(watched(2)), 1) << "right answers by wrong accesses";
  EXPECT_EQ(finishedStatus(watched(-1)), 1) << "nothing was heard of it";
  EXPECT_EQ(kernelOf(watched(0)).progress, Progress::done);
}

TEST(ReportTest, AStageThatComesToNothingForAKernelSaysWhy) {
  Report report = compiledReport(1, {Stage::check, Stage::sanitize});
  fold(report, checked(0, Verdict::pass));
  fold(report, StepDone{Stage::sanitize, 0, 0, NoResult{"it is about no case"}});
  fold(report, StepDone{Stage::check, 0, {}, Sanitized{}});
  EXPECT_EQ(report.log.size(), 2U);
  EXPECT_EQ(kernelOf(report).progress, Progress::at(Stage::sanitize));
  fold(report, StepDone{Stage::sanitize, 0, {}, NoResult{}});
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
  EXPECT_EQ(kernelOf(report).notDone, (std::vector<NotDone>{{Stage::sanitize, "not sanitized"}}));
  EXPECT_EQ(finishedStatus(report), 1) << "accesses of which nothing was heard are no success";
  fold(report, StepDone{Stage::sanitize, 0, {}, NoResult{"again"}});
  EXPECT_EQ(kernelOf(report).notDone.size(), 1U);
  EXPECT_EQ(report.log.size(), 3U);
}

TEST(ExitStatusTest, ZeroNeedsAPassAndNoFailure) {
  Report report = compiledReport(2);
  fold(report, checked(0, Verdict::pass));
  fold(report, checked(1, Verdict::invalid));
  EXPECT_EQ(finishedStatus(report), 0);
  fold(report, checked(1, Verdict::refused));
  EXPECT_EQ(finishedStatus(report), 1);
  Report nothing = compiledReport(1);
  fold(nothing, checked(0, Verdict::invalid));
  EXPECT_EQ(finishedStatus(nothing), 1);
}

TEST(ExitStatusTest, CompileAndUsageAreTwo) {
  Report report = compiledReport(1);
  fold(report, checked(0, Verdict::mismatch));
  fold(report, StageFailed{0, {Stage::compile, "", "", {}}});
  EXPECT_EQ(finishedStatus(report), 2);
  Report unknown = compiledReport(0);
  EXPECT_EQ(finishedStatus(unknown), 2);  // no case of this operator
  fold(unknown, StageFailed{std::nullopt, {Stage::job, "Unknown operator", "", {}}});
  EXPECT_EQ(finishedStatus(unknown), 2);
}

TEST(ExitStatusTest, NoWorkerOrDeviceIsThree) {
  Report report = compiledReport(1);
  EXPECT_EQ(exitStatus(report), 3);  // still running, nobody will finish it
  fold(report, checked(0, Verdict::pass));
  fold(report, Finished{Outcome::workerLost, 1});
  EXPECT_EQ(exitStatus(report), 3);
  Report setup = compiledReport(0);
  fold(setup, StageFailed{std::nullopt, {Stage::setup, "torch is missing", "", {}}});
  EXPECT_EQ(finishedStatus(setup), 3);
  Report noGpu = compiledReport(0);
  fold(noGpu, StepStarted{Stage::compile, 0, {}});  // whatever the language
  Compiled elsewhere;
  elsewhere.runs = false;
  elsewhere.note = "Compiled for sm_90; not run: this machine has no GPU";
  elsewhere.cases = {makeCase(1)};
  fold(noGpu, compiledStep(elsewhere));
  EXPECT_EQ(finishedStatus(noGpu), 3);  // compiled, and nothing to run it on
}

TEST(FoldTest, ACaseOfWhichNothingWasHeardHasFailedWhenTheRunHasFinished) {
  Report report = compiledReport(3, {Stage::check, Stage::time});
  fold(report, checked(0, Verdict::pass));
  fold(report, timed(0));
  fold(report, checked(1, Verdict::pass));
  Report cancelled = report;
  fold(cancelled, Finished{Outcome::cancelled, 1});
  EXPECT_EQ(kernelOf(cancelled).cases[2].check.verdict, Verdict::notRun);
  fold(report, Finished{Outcome::finished, 1});
  EXPECT_EQ(kernelOf(report).cases[2].check.verdict, Verdict::missing);
  EXPECT_THAT(kernelOf(report).cases[2].check.message, HasSubstr("without a word on this case"));
  EXPECT_THAT(kernelOf(report).cases[1].notTimed, HasSubstr("the run ended first"));
  EXPECT_EQ(counts(report), (Counts{3, 3, 2, 1, 0, 1, 1}));
  EXPECT_EQ(exitStatus(report), 1);
}

TEST(ExitStatusTest, AWorkerLostByUsIsFourWhateverPassed) {
  Report report = compiledReport(2);
  fold(report, checked(0, Verdict::pass));
  fold(report, checked(1, Verdict::pass));
  Report innocent = report;
  fold(innocent, WorkerLost{Blame::reference, 0, "checking case 1 of relu.cpp", "killed", "", 1});
  EXPECT_FALSE(lostByUs(innocent));
  EXPECT_EQ(describe(innocent.losses[0]), "The worker was lost while checking case 1 of relu.cpp: killed");
  EXPECT_EQ(finishedStatus(innocent), 0);
  fold(report, WorkerLost{Blame::warpbench, 0, "between two steps of relu.cpp", "killed", "", 1});
  EXPECT_EQ(describe(report.losses[0]), "Warpbench lost its worker between two steps of relu.cpp: killed");
  EXPECT_EQ(finishedStatus(report), 4);
  fold(report, StageFailed{0, {Stage::setup, "no worker", "", {}}});
  EXPECT_EQ(finishedStatus(report), 3);
}

TEST(ScoredTest, AKernelThatCrashedIsNotUnlessAskedFor) {
  Report report = compiledReport(2);
  fold(report, checked(0, Verdict::pass));
  EXPECT_TRUE(scored(report, kernelOf(report)));
  for (const Verdict verdict : {Verdict::mismatch, Verdict::threw, Verdict::missing}) {
    fold(report, checked(1, verdict));
    EXPECT_TRUE(scored(report, kernelOf(report))) << name(verdict);
  }
  for (const Verdict verdict : {Verdict::crashed, Verdict::hung, Verdict::quarantined}) {
    fold(report, checked(1, verdict));
    EXPECT_FALSE(scored(report, kernelOf(report))) << name(verdict);
  }
  Report asked = report, like = report;
  asked.checking.scoreCrashed = like.checking.likeBackendBench = true;
  EXPECT_TRUE(scored(asked, kernelOf(asked)));
  EXPECT_TRUE(scored(like, kernelOf(like)));
}

TEST(ExitStatusTest, CancelledIs130AndStagesLeftOutAreNotMissed) {
  Report report = compiledReport(1);
  fold(report, checked(0, Verdict::mismatch));
  fold(report, Finished{Outcome::cancelled, 1});
  EXPECT_EQ(exitStatus(report), 130);
  EXPECT_EQ(finishedStatus(compiledReport(2, {})), 0);
  Report timeOnly = compiledReport(1, {Stage::time});
  EXPECT_EQ(finishedStatus(timeOnly), 1);
  fold(timeOnly, timed(0));
  EXPECT_EQ(finishedStatus(timeOnly), 0);
}

TEST(ExitStatusTest, AStageThatFailedAfterCompilingIsOne) {
  Report report = compiledReport(1);
  fold(report, checked(0, Verdict::pass));
  fold(report, StageFailed{0, {Stage::time, "no clock", "", {}}});
  EXPECT_EQ(finishedStatus(report), 1);
}

}  // namespace
}  // namespace wb
