// SPDX-License-Identifier: Apache-2.0
#include "core/figures/verdict/verdict_line.h"
#include "core/figures/verdict/run_speedup.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/model/log_sources.h"
#include "core/model/pace.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;

TEST(VerdictLine, SaysOfEveryKindOfRunWhatItCameTo) {
  const std::pair<const char*, Report> reports[] = {{"all pass", samples::allPass()},
                                                    {"failures", samples::mixedFailures()},
                                                    {"compile failure", samples::compileFailure()},
                                                    {"crash", samples::crash()},
                                                    {"cancelled", samples::cancelledHalfWay()},
                                                    {"timing", samples::timingHalfWay()},
                                                    {"compile only", samples::compileOnly()},
                                                    {"several kernels", samples::severalKernels()},
                                                    {"no worker", samples::noWorker()},
                                                    {"empty job", samples::emptyJob()}};
  std::string all;
  for (const auto& [what, report] : reports)
    all += std::string(what) + ": " + verdictText(verdictLine(report)) + "\n";
  expectGolden("verdict_lines.txt", all);
}

TEST(VerdictLine, TonesOfItsPartsSayWhatIsGoodAndBad) {
  const VerdictLine good = verdictLine(samples::allPass());
  ASSERT_GE(good.parts.size(), 5U);
  EXPECT_EQ(good.parts[1].tone, Tone::good);
  EXPECT_TRUE(good.caveat.empty());
  EXPECT_EQ(verdictLine(samples::compileFailure()).parts[1].tone, Tone::bad);
  EXPECT_FALSE(verdictLine(samples::cancelledHalfWay()).caveat.empty());
}

TEST(VerdictLine, AgreesWithTheCards) {
  for (const Report& report : {samples::allPass(), samples::severalKernels(), samples::crash()})
    EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr(headline(report).cards[0].value));
}

TEST(VerdictLine, ARunOnTargetsNamesThem) {
  Report report = samples::allPass();
  EXPECT_EQ(targetsText(report), "");
  fold(report, Log{"worker", "elsewhere"});
  for (const char* target : {"rented", "box", "box"}) fold(report, Log{std::string(targetSource), target});
  EXPECT_EQ(targetsText(report), "box and rented");
  EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr(" on box and rented · "));
  const Table about = environmentTable(report);
  const auto row = std::ranges::find(about.rows, "target", &Table::Row::id);
  ASSERT_NE(row, about.rows.end());
  EXPECT_EQ(row->cells[1].text, "box and rented");
  Report waits = startReport(Job{.kernels = {KernelSource{.path = "relu.cpp"}}});
  EXPECT_EQ(progressLine(waits), "waiting for the worker");
  fold(waits, Log{std::string(targetSource), "box"});
  EXPECT_EQ(progressLine(waits), "starting the worker on box");
  fold(waits, Log{std::string(waitingSource), "the queue of gpus: Priority"});
  EXPECT_EQ(progressLine(waits), "waiting in the queue of gpus: Priority");
}

TEST(VerdictLine, WhatWasCheckedAndCannotBeTimedSaysWhy) {
  Report report = samples::allPass();
  KernelReport& kernel = report.kernels[0].write();
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    CaseRow& row = kernel.cases.write(i);
    row.timing.reset();
    row.notTimed = "Interpreted: checked, not timed. Choose a GPU.";
  }
  kernel.counts.timed = 0;
  EXPECT_EQ(whyNotTimed(report), "Interpreted: checked, not timed. Choose a GPU.");
  EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr("Choose a GPU."));
  EXPECT_EQ(headline(report).cards[0].detail, "Interpreted: checked, not timed. Choose a GPU.");
  EXPECT_EQ(speedupChart(report).empty, "Interpreted: checked, not timed. Choose a GPU.");
}

TEST(VerdictLine, WhyThoseThatPassHaveNoTimeIsNotSaidOfThoseThatFail) {
  Report report = samples::allPass();
  KernelReport& kernel = report.kernels[0].write();
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    CaseRow& row = kernel.cases.write(i);
    row.timing.reset();
    row.notTimed = "nothing to time, as every output is empty";
  }
  kernel.cases.write(0).check.verdict = Verdict::mismatch;
  kernel.counts.timed = 0;
  --kernel.counts.passed;
  ++kernel.counts.failed;
  EXPECT_EQ(whyNotTimed(report), "of those that pass: nothing to time, as every output is empty");
}

TEST(VerdictLine, CasesThatASpeedupLeavesOutAreCounted) {
  Report report = samples::allPass();
  EXPECT_EQ(runSpeedup(report).leftOut, 0);
  KernelReport& kernel = report.kernels[0].write();
  CaseRow& row = kernel.cases.write(0);
  row.timing.reset();
  row.notTimed = "not scored: a thread of the kernel's ran while the reference was timed";
  EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr("; 1 case left out"));
  EXPECT_THAT(headline(report).cards[0].detail, HasSubstr(" · 1 case left out"));
  EXPECT_EQ(headline(report).cards[0].tone, Tone::warning);
  row.notTimed = "nothing to time, as every output is empty";
  EXPECT_EQ(runSpeedup(report).leftOut, 0);
}

TEST(VerdictLine, ThereIsNoSpeedupWhereHalfOfTheCasesWereLeftOut) {
  // A kernel could see to it that all are left out but the one in which it is fast.
  Report report = samples::allPass();
  KernelReport& kernel = report.kernels[0].write();
  std::size_t left = 0;
  for (std::size_t i = 0; i < kernel.cases.size() && left < 3; ++i)
    if (auto& timing = kernel.cases.write(i).timing) {
      timing->speedup = withoutInterval(timing->speedup);
      if (++left == 2) {
        EXPECT_EQ(runSpeedup(report).summary.cases, 4);
        EXPECT_EQ(runSpeedup(report).whyNone, "");
      }
    }
  const RunSpeedup speedup = runSpeedup(report);
  EXPECT_EQ(speedup.summary.cases, 0);
  EXPECT_EQ(speedup.leftOut, 3);
  EXPECT_EQ(speedup.whyNone, "3 of 6 cases have no time that counts");
  EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr("3 of 6 cases have no time that counts"));
  EXPECT_EQ(headline(report).cards[0].value, "–");
  EXPECT_EQ(headline(report).cards[0].detail, "3 of 6 cases have no time that counts");
}

TEST(VerdictLine, CasesThatAreForCheckingAloneSaySo) {
  Report report = samples::allPass();
  KernelReport& kernel = report.kernels[0].write();
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    kernel.cases.write(i).timing.reset();
    kernel.cases.write(i).definition.use = CaseUse::check;
  }
  kernel.counts.timed = 0;
  EXPECT_THAT(verdictText(verdictLine(report)), HasSubstr("these cases are for checking alone"));
  EXPECT_EQ(headline(report).cards[0].detail, "these cases are for checking alone");
  kernel.cases.write(0).check.verdict = Verdict::mismatch;
  --kernel.counts.passed;
  ++kernel.counts.failed;
  EXPECT_EQ(whyNotTimed(report), "the cases that pass are for checking alone");
  report.stages = {};
  EXPECT_EQ(whyNotTimed(report), "");
}

TEST(VerdictLine, TheMostImportantReasonStandsBehindIt) {
  const VerdictLine line = verdictLine(samples::allPass());
  EXPECT_EQ(asOfNow(line, {}), line);
  EXPECT_EQ(asOfNow(line, {.sourceChanged = true}).caveat, "The source has changed since.");
  EXPECT_EQ(asOfNow(line, {.nextIsUnderWay = true, .sourceChanged = true}).caveat,
            "This is the run before; the next one is under way.");
  EXPECT_EQ(asOfNow(line, {.nextFailed = "it does not compile: 1 error", .sourceChanged = true}).caveat,
            "This is the run before; now it does not compile: 1 error.");
  EXPECT_THAT(asOfNow(line, {.otherKernel = "softmax.cpp", .sourceChanged = true}).caveat,
              HasSubstr("softmax.cpp has not run"));
  EXPECT_THAT(asOfNow(verdictLine(samples::cancelledHalfWay()), {.sourceChanged = true}).caveat,
              testing::AllOf(HasSubstr("Cancelled"), HasSubstr("has changed")));
}

TEST(VerdictLine, TimesAreSaidByTheReadersClock) {
  EXPECT_EQ(timeOfDay("2026-11-22T23:30:57Z", {"2026-11-22", 0, ""}), "23:30");
  EXPECT_EQ(timeOfDay("2026-11-22T23:30:57Z", {"2026-11-23", 60, ""}), "00:30");
  EXPECT_EQ(timeOfDay("2026-11-22T23:30:57Z", {"2026-11-22", 60, ""}), "23 Nov 00:30");
  EXPECT_EQ(timeOfDay("2026-03-01T12:30:57Z", {"2026-11-22", 0, ""}), "1 Mar 12:30");
  EXPECT_EQ(timeOfDay("2025-11-22T23:30:57Z", {"2026-11-22", 60, ""}), "2025-11-23 00:30");
  EXPECT_EQ(timeOfDay("2026-03-01T00:10:00Z", {"", -30, "UTC"}), "2026-02-28 23:40 UTC");
  EXPECT_EQ(timeOfDay("2026-11-22T23:30:57Z", {"2026-11-22", 0, "", true}), "23:30:57");
  EXPECT_EQ(timeOfDay("2026-11-22T23:30:57Z", {"", 60, "UTC", true}), "2026-11-23 00:30:57 UTC");
  EXPECT_EQ(timeOfDay("2026-11-22T23:30", {"2026-11-22", 0, "", true}), "23:30");
  for (const char* nonsense : {"", "yesterday", "2026-13-45T00:00:00Z", "2026-11"})
    EXPECT_EQ(timeOfDay(nonsense, {}), "") << nonsense;
}

TEST(VerdictLine, DifferentDevicesHaveEachTheirOwnSpeedup) {
  Report report = samples::allPass();
  EXPECT_EQ(devicesText(report), "");
  report.target.deviceName = "H200";
  const KernelReport& kernel = *report.kernels[0];
  ASSERT_GT(kernel.cases.size(), 1U);
  Report mixed = report;
  CaseTiming timing = *kernel.cases[0].timing;
  timing.device = "H100";
  timing.speedup = {3, 2.9, 3.1, Pace::faster};
  fold(mixed, StepDone{Stage::time, 0, 0, timing});
  const auto each = speedupsByDevice(mixed);
  ASSERT_EQ(each.size(), 2U);
  EXPECT_EQ(each[0].device, "H200");
  EXPECT_EQ(each[1].device, "H100");
  EXPECT_EQ(each[1].summary.cases, 1);
  EXPECT_THAT(verdictText(verdictLine(mixed)), HasSubstr("3.00× on H100"));
  EXPECT_THAT(headline(mixed).cards[0].detail, HasSubstr("3.00× on H100"));
}

}  // namespace
}  // namespace wb
