// SPDX-License-Identifier: Apache-2.0
// Whose fault the loss of a worker is, by whose turn it was, with real processes.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr Verdict P = Verdict::pass, M = Verdict::mismatch, C = Verdict::crashed, H = Verdict::hung,
                  V = Verdict::invalid;

struct Outcomes {
  std::vector<Verdict> verdicts;
  std::string message;  ///< of case 3
  Report report;
  std::vector<SideStarted> told;  ///< by the runner, of what took long
};

Outcomes outcomesOf(Job job, Losses subject) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(std::move(job), subject);
  run.submit(runner);
  Outcomes outcomes{{}, {}, run.wait(), {}};
  outcomes.verdicts = run.verdicts();
  if (outcomes.verdicts.size() > 3) outcomes.message = outcomes.report.kernels[0]->cases[3].check.message;
  for (const Event& event : run.events())
    if (const auto* side = std::get_if<SideStarted>(&event); side && side->seconds > 0)
      outcomes.told.push_back(*side);
  return outcomes;
}

Outcomes outcomesOf(Job job) {
  const Losses subject = subjectOf(job);
  return outcomesOf(std::move(job), subject);
}

Outcomes outcomesOf(const std::string& arguments, double caseSeconds = 30) {
  Job job = fakeJob({arguments}, false);
  job.limits.caseSeconds = caseSeconds;
  return outcomesOf(std::move(job));
}

TEST(Sides, AReferenceThatHangsMakesItsCaseVoid) {
  const Outcomes got = outcomesOf("--mode=hang:3 --side=reference --alone", 0.5);
  EXPECT_EQ(got.verdicts, (std::vector{P, P, M, V, P, P, P, P}));
  EXPECT_EQ(got.message, "the reference did not finish within 500 ms");
}

TEST(Sides, AReferenceThatCrashesMakesItsCaseVoid) {
  const Outcomes got = outcomesOf("--mode=segfault:3 --side=reference --alone");
  EXPECT_EQ(got.verdicts, (std::vector{P, P, M, V, P, P, P, P}));
  EXPECT_THAT(got.message, HasSubstr("the reference crashed: segmentation fault (SIGSEGV)"));
}

TEST(Sides, AReferenceThatCrashesOnlyAfterTheKernelRanIsTheKernels) {
  const Outcomes got = outcomesOf("--mode=segfault:3 --side=reference");
  EXPECT_EQ(got.verdicts, (std::vector{P, P, M, C, P, P, P, P}));
  EXPECT_EQ(got.message, "the reference survives without the kernel");
}

TEST(Sides, InputsThatCannotBeMadeMakeTheirCaseVoid) {
  const Outcomes got = outcomesOf("--mode=segfault:3 --side=inputs");
  EXPECT_EQ(got.verdicts, (std::vector{P, P, M, V, P, P, P, P}));
  EXPECT_THAT(got.message, HasSubstr("making the inputs crashed"));
}

TEST(Sides, ResultsThatKillTheComparisonAreTheKernels) {
  EXPECT_EQ(outcomesOf("--mode=segfault:3 --side=comparing").verdicts[3], C);
}

TEST(Sides, AReferenceThatKeepsCrashingQuarantinesNothing) {
  const Outcomes got = outcomesOf("--mode=segfault:0,1,2,3,4,5,6,7 --side=reference --alone");
  EXPECT_THAT(got.verdicts, Each(V));
}

TEST(Sides, AFirstCallMayTakeLongWhereItTunes) {
  Job job = fakeJob({"--cases=4 --delay=0.6"}, false);
  job.kernels[0].language = "triton";
  job.limits.caseSeconds = 0.3;
  EXPECT_EQ(outcomesOf(job).verdicts, (std::vector{P, P, M, P}));
  job.kernels[0].language = "torch_cpp";
  EXPECT_EQ(outcomesOf(job, Losses::ofKernels).verdicts[0], H);
}

TEST(Sides, AFirstCallHasALimitAllTheSame) {
  Job job = fakeJob({"--mode=hang:3"}, false);
  job.kernels[0].language = "triton";
  job.limits.firstCallSeconds = 0.5;
  const Outcomes got = outcomesOf(job);
  EXPECT_EQ(got.verdicts, (std::vector{P, P, M, H, P, P, P, P}));
  EXPECT_EQ(got.message, "its first call did not finish within 500 ms");
}

TEST(Sides, AKernelThatHungHasShortLimitsAndTheMessageSaysSo) {
  const Outcomes got = outcomesOf("--mode=hang:1,3", 0.3);
  EXPECT_EQ(got.verdicts, (std::vector{P, H, M, H, P, P, P, P}));
  EXPECT_EQ(got.message, "did not finish within 300 ms, a short limit since it hung in case 2");
}

TEST(Sides, WhatTakesLongIsToldWhileItDoes) {
  Job job = fakeJob({"--cases=1 --delay=2.5"}, false);
  job.kernels[0].language = "triton";
  const Outcomes got = outcomesOf(job);
  ASSERT_FALSE(got.told.empty());
  EXPECT_TRUE(got.told[0].first);
  EXPECT_EQ(got.told[0].side, Side::candidate);
  EXPECT_GE(got.told[0].seconds, 2);
}

}  // namespace
}  // namespace wb
