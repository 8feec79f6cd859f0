// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/backendbench_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/log_sources.h"

namespace wb {
namespace {

using testing::HasSubstr;

Job oneKernel(const std::string& path) {
  Job job;
  job.kernels.emplace_back();
  job.kernels[0].path = path;
  job.kernels[0].op = "aten::relu";
  return job;
}

StepDone checked(Verdict verdict) {
  CaseCheck check;
  check.verdict = verdict;
  return {Stage::check, 0, 3, check};
}

TEST(BackendBenchLog, KernelsOfFilesAreSaidToBeLoadedAndAtensOwnAreNot) {
  Compiled compiled;
  compiled.op = "aten::relu";
  const StepDone done{Stage::compile, 0, std::nullopt, compiled};
  const auto line = backendBenchLine(oneKernel("kernels/relu.py"), done);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->level, Level::info);
  EXPECT_EQ(line->text, "Loaded relu.default from kernels/relu.py -> aten.relu.default");
  EXPECT_FALSE(backendBenchLine(oneKernel(""), done));
}

TEST(BackendBenchLog, WhatThrewIsAWarningWhatIsWrongANoteAndWhatPassedNothing) {
  const Job job = oneKernel("relu.py");
  EXPECT_EQ(backendBenchLine(job, checked(Verdict::threw))->level, Level::warning);
  const auto wrong = backendBenchLine(job, checked(Verdict::mismatch));
  EXPECT_EQ(wrong->level, Level::info);
  EXPECT_THAT(wrong->text, HasSubstr("relu.default: case 4: mismatch"));
  EXPECT_FALSE(backendBenchLine(job, checked(Verdict::pass)));
  EXPECT_FALSE(backendBenchLine({}, checked(Verdict::threw))) << "of a kernel that the job does not have";
}

TEST(BackendBenchLog, WarningsOnAKernelAreSaidAndCompilersAreNot) {
  const Job job = oneKernel("relu.py");
  Diagnosed said{0, {Severity::warning, "it is wrong at other shapes", {}, {}, "warpbench"}};
  const auto line = backendBenchLine(job, said);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->level, Level::warning);
  EXPECT_EQ(line->text, "relu.default: it is wrong at other shapes");
  EXPECT_FALSE(backendBenchLine({}, said)) << "of a kernel that the job does not have";
  said.diagnostic.severity = Severity::note;
  EXPECT_FALSE(backendBenchLine(job, said));
  said.diagnostic = {Severity::warning, "unused variable", {}, {}, "g++"};
  EXPECT_FALSE(backendBenchLine(job, said));
}

TEST(BackendBenchLog, KernelsOfFilesThatHandTheirOperatorToAtenAreNamed) {
  KernelReport kernel;
  kernel.source.path = "relu.py";
  kernel.source.op = "aten::relu";
  kernel.compiled.emplace();
  kernel.compiled->op = "aten::relu";
  CaseRow row;
  row.definition.op = "aten::relu";
  row.check.verdict = Verdict::pass;
  kernel.cases.push(row);
  Report report;
  report.kernels.emplace_back(kernel);
  EXPECT_TRUE(handedToAten(report).empty());
  row.check.ran.push_back({.name = "aten::relu"});
  kernel.cases.push(row);
  report.kernels = {};
  report.kernels.emplace_back(kernel);
  const std::vector<LogLine> lines = handedToAten(report);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].text, HasSubstr("relu.default: hands relu to ATen in 1 of "));
  kernel.source.path.clear();
  report.kernels = {};
  report.kernels.emplace_back(kernel);
  EXPECT_TRUE(handedToAten(report).empty()) << "ATen itself may";
}

TEST(BackendBenchLog, OnlyALossOfOurOwnIsAnError) {
  WorkerLost lost;
  lost.doing = "between two steps of relu.py";
  lost.blame = Blame::kernel;
  EXPECT_FALSE(backendBenchLine({}, lost)) << "the verdict of its case says it";
  lost.blame = Blame::warpbench;
  EXPECT_THAT(backendBenchLine({}, lost)->text, HasSubstr("a fault of Warpbench"));
}

TEST(BackendBenchLog, WhatIsPreparedIsSaidBeforeWhatIsPrinted) {
  EXPECT_EQ(backendBenchLine({}, Log{std::string(preparingSource), "headers"})->level, Level::info);
  EXPECT_EQ(backendBenchLine({}, Log{"stdout", "hello"})->level, Level::debug);
}

}  // namespace
}  // namespace wb
