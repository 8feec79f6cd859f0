// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include <gmock/gmock.h>

#include <random>

#include "core/model/exit/exit_status.h"
#include "core/model/json/json_fields.h"
#include "tests/core/model/compiled_report.h"

namespace wb {
namespace {

using samples::makeCase;
using samples::timing;
using ::testing::HasSubstr;

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
      for (const auto& each : report.kernels) ASSERT_FALSE(isDiscredited(*each) && each->counts.passed > 0);
    }
  }
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

TEST(FoldTest, AKernelThatIsJudgedTamperedOnceHasNoPassesLeft) {
  Report report = compiledReport(4);
  fold(report, checked(0, Verdict::pass));
  fold(report, timed(0));
  fold(report, checked(1, Verdict::invalid));
  fold(report, StepDone{Stage::time, 0, 0, NoResult{"noisy"}});
  EXPECT_FALSE(isDiscredited(kernelOf(report)));
  StepDone found = checked(2, Verdict::tampered);
  std::get<CaseCheck>(found.result).message = "it replaces the reference";
  fold(report, found);
  EXPECT_TRUE(isDiscredited(kernelOf(report)));
  // Another worker, or another part of the run, may know nothing of it.
  fold(report, checked(1, Verdict::pass));
  fold(report, timed(1));
  fold(report, checked(3, Verdict::pass));
  for (std::size_t i = 0; i < 4; ++i) {
    const CaseRow& row = kernelOf(report).cases[i];
    EXPECT_EQ(row.check.verdict, Verdict::tampered) << i;
    EXPECT_EQ(row.check.message, "it replaces the reference");
    EXPECT_FALSE(row.timing);
    EXPECT_EQ(row.notTimed, "");
  }
  EXPECT_EQ(counts(report), (Counts{4, 4, 0, 4, 0, 0, 0}));
  EXPECT_EQ(kernelOf(report).progress, Progress::done);
  EXPECT_EQ(report.log.size(), 0U);
  EXPECT_EQ(finishedStatus(report), 1);
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

}  // namespace
}  // namespace wb
