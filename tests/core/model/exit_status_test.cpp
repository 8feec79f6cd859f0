// SPDX-License-Identifier: Apache-2.0
#include "core/model/exit/exit_status.h"

#include <gtest/gtest.h>

#include "tests/core/model/compiled_report.h"

namespace wb {
namespace {

using samples::makeCase;

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
