// SPDX-License-Identifier: Apache-2.0
#include "core/figures/cases/details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/figures/figures.h"
#include "tests/core/figures/sample_report.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

const char* const traceback =
    "Traceback (most recent call last):\n"
    "  File \"relu.py\", line 7, in relu_kernel_impl\n    return helper(self)\n"
    "  File \"/env/lib/a \\\"b\\\".py\", line 12, in helper\n"
    "RuntimeError: File \"no line\"\n";

TEST(Frames, AreTheLinesThatNameAPlace) {
  const std::vector<TraceFrame> frames = framesOf(traceback);
  ASSERT_GE(frames.size(), 1U);
  EXPECT_EQ(frames[0].place, (Place{"relu.py", 7, 0}));
  EXPECT_EQ(std::string(traceback).substr(frames[0].begin, frames[0].end - frames[0].begin),
            "File \"relu.py\", line 7");
  EXPECT_TRUE(framesOf("").empty());
  EXPECT_TRUE(framesOf("File \"x").empty());
  EXPECT_TRUE(framesOf("File \"x\", line 99999999999999999999999").empty());
}

Report startOfRelu() {
  Job job;
  KernelSource& kernel = job.kernels.emplace_back();
  kernel.path = "relu.py";
  kernel.text = "x";
  kernel.language = "python";
  kernel.op = "relu";
  return startReport(job);
}

Report reportOfAThrow() {
  Report report = startOfRelu();
  Case definition;
  definition.op = "aten::relu", definition.args = "((T([5, 5], f32),), {})", definition.shapes = "5×5";
  definition.dtype = "f32";
  Compiled compiled;
  compiled.op = "aten::relu";
  compiled.cases = {definition};
  fold(report, compiledStep(compiled));
  CaseCheck check;
  check.verdict = Verdict::threw;
  check.message = "RuntimeError: no <b>";
  check.trace = traceback;
  fold(report, StepDone{Stage::check, 0, 0, check});
  return report;
}

TEST(DetailsOf, ACaseHasEveryColumnTheMessageAndTheTrace) {
  const Report report = reportOfAThrow();
  const std::optional<Details> details = detailsOf(report, "0/0");
  ASSERT_TRUE(details);
  EXPECT_EQ(details->verdict, "threw");
  EXPECT_EQ(details->tone, Tone::bad);
  EXPECT_NE(details->message.find("no <b>"), std::string::npos);
  EXPECT_EQ(details->trace, traceback);
  const auto arguments = std::find_if(details->facts.begin(), details->facts.end(),
                                      [](const auto& fact) { return fact.what == "Arguments"; });
  ASSERT_NE(arguments, details->facts.end());
  EXPECT_EQ(arguments->text, "((T([5, 5], f32),), {})");
  EXPECT_FALSE(detailsOf(report, "0/1"));
  EXPECT_FALSE(detailsOf(report, "nonsense"));
  EXPECT_FALSE(detailsOf(report, ""));
}

TEST(DetailsOf, AFailedStageHasItsTrace) {
  Report report = startOfRelu();
  Error error{Stage::compile, "ImportError: no module", "install it", {}};
  error.trace = traceback;
  fold(report, StageFailed{0, error});
  const Table problems = problemsTable(report);
  ASSERT_EQ(problems.rows.size(), 1U);
  const auto details = detailsOf(report, problems.rows[0].id);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->trace, traceback);
  EXPECT_NE(details->title.find("ImportError"), std::string::npos);
}

TEST(DetailsOf, ATimedCaseHasTheFactsOfItsTimingOnce) {
  const Report report = samples::allPass();
  const auto details = detailsOf(report, "0/0");
  ASSERT_TRUE(details);
  std::vector<std::string> titles;
  for (const Fact& fact : details->facts) {
    EXPECT_FALSE(fact.text.empty()) << fact.what;
    titles.push_back(fact.what);
  }
  EXPECT_THAT(titles, testing::Contains("Speedup"));
  EXPECT_THAT(titles, testing::Contains("Max abs"));
  EXPECT_THAT(titles, testing::Not(testing::Contains("Verdict"))) << "it stands beside the title";
  std::sort(titles.begin(), titles.end());
  EXPECT_EQ(std::adjacent_find(titles.begin(), titles.end()), titles.end());
}

}  // namespace
}  // namespace wb
