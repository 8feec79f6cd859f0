// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"

namespace wb {
namespace {

using testing::HasSubstr;

Report timed(double ratio) {
  CaseRow row;
  row.definition.op = "aten::relu";
  row.check.verdict = Verdict::pass;
  row.timing.emplace();
  row.timing->speedup = {ratio, ratio * 0.999, ratio * 1.001, Pace::faster};
  KernelReport kernel;
  kernel.cases.push(row);
  Report report;
  report.kernels.emplace_back(std::move(kernel));
  return report;
}

TEST(ComparisonExporter, JsonHoldsBothReportsAndTheOperators) {
  const Report a = timed(1), b = timed(2);
  const auto json = parseJson(comparisonJson({a, b, "one", "two"}));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["operators"][0]["winner"], "B");
  EXPECT_DOUBLE_EQ((*json)["operators"][0]["ratio"].get<double>(), 2);
  EXPECT_EQ((*json)["operators"][0]["a"]["pass"], 1);
  EXPECT_EQ(reportFromJson((*json)["b"])->kernels.size(), 1u);
}

TEST(ComparisonExporter, MarkdownNamesBothSides) {
  const Report a = timed(1), b = timed(2);
  const std::string text = comparisonMarkdown({a, b, "one.cpp", "two.cpp"});
  EXPECT_THAT(text, HasSubstr("- B: `two.cpp`"));
  EXPECT_THAT(text, HasSubstr("| relu |"));
}

TEST(ComparisonExporter, OtherFormatsAreRefusedByName) {
  const Report a = timed(1), b = timed(2);
  const auto written = exportComparison({a, b, "", ""}, "x.html");
  ASSERT_FALSE(written);
  EXPECT_THAT(describe(written.error()), HasSubstr(".md or .json"));
}

}  // namespace
}  // namespace wb
