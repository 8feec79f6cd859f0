// SPDX-License-Identifier: Apache-2.0
// The charts of a run's times, and those of a profile that are no tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include "core/figures/charts/chart_figures.h"
#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "core/figures/text/text.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A run of one operator over powers of two of elements.
Report sweptRun(int sizes) {
  Job job;
  job.kernels = {{"relu.cpp", "", "torch_cpp", ""}};
  job.stages = {Stage::compile, Stage::check, Stage::time};
  Report report = startReport(job);
  Compiled compiled;
  for (int i = 0; i < sizes; ++i) {
    Case one;
    one.op = "aten::relu";
    one.args = "((T([" + std::to_string(1024 << i) + "], f32),), {})";
    one.shapes = std::to_string(1024 << i);
    one.dtype = "f32";
    compiled.cases.push_back(one);
  }
  fold(report, compiledStep(compiled));
  for (int i = 0; i < sizes; ++i) {
    fold(report, checkedStep(0, static_cast<std::uint32_t>(i), Verdict::pass));
    CaseTiming timing;
    timing.reference = 1e-6 * (i + 1);
    timing.candidate = 1e-6;
    timing.speedup = {1.0 + i, 0.9 + i, 1.1 + i, Pace::faster};
    for (int b = 0; b < 20; ++b)
      timing.blocks.push_back({{1e-6 * (i + 1), 1.01e-6 * (i + 1)}, {1e-6, b == 7 ? 1e-3 : 1.02e-6}, false});
    fold(report, timedStep(0, static_cast<std::uint32_t>(i), timing));
  }
  return report;
}

Report recorded(const std::string& name) {
  std::ifstream file(std::filesystem::path(WB_SOURCE_DIR) / "tests/golden/events" / (name + ".jsonl"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto run = samples::runFromLog(text);
  EXPECT_TRUE(run) << name;
  return run ? samples::folded(*run) : Report{};
}

TEST(SpeedupCharts, AreByCaseAndByOperator) {
  const Report report = samples::many(120);
  EXPECT_EQ(speedupChart(report).title, "Speedup by case");
  EXPECT_EQ(speedupChart(report).bars.size(), static_cast<std::size_t>(counts(report).timed));
  EXPECT_EQ(operatorSpeedupChart(report).bars.size(), 12U);
  EXPECT_EQ(operatorSpeedupChart(report).title, "Speedup by operator");
}

TEST(SpeedupCharts, OfVeryManyCasesShowTheLowest) {
  const BarChart chart = speedupChart(samples::many(3000));
  ASSERT_EQ(chart.bars.size(), 200U);
  EXPECT_THAT(chart.title, HasSubstr("the 200 lowest of"));
  for (std::size_t i = 1; i < chart.bars.size(); ++i) EXPECT_LE(chart.bars[i - 1].value, chart.bars[i].value);
}

TEST(SpeedupCharts, OperatorsOfOneCaseEachAreNotSaidTwice) {
  const BarChart chart = operatorSpeedupChart(sweptRun(1));
  EXPECT_THAT(chart.bars, IsEmpty());
  EXPECT_THAT(chart.empty, HasSubstr("By case"));
}

TEST(SpeedupCharts, OfANoisyCaseNoChartShowsARatio) {
  for (const Speedup& noisy :
       {Speedup{1752, 0, 0, Pace::undecided}, Speedup{1752, 0.000004, 5'000'000, Pace::undecided}}) {
    Report report = sweptRun(5);
    CaseTiming timing = *report.kernels[0]->cases[2].timing;
    timing.speedup = noisy;
    fold(report, timedStep(0, 2, timing));
    const BarChart chart = speedupChart(report);
    const Bar& bar = chart.bars.at(2);
    EXPECT_EQ(bar.text, "too noisy");
    EXPECT_EQ(bar.value, chart.base) << "a bar without length keeps the case's place";
    EXPECT_EQ(bar.tone, Tone::muted);
    EXPECT_EQ(bar.low, 0);
    const PlaneChart sizes = sizeChart(report);
    EXPECT_EQ(sizes.points.size(), 4U) << "it is in no curve";
    for (const auto& [x, y] : sizes.lines.at(0).points) EXPECT_LT(y, 100);
    EXPECT_THAT(samplesChart(report, CaseKey{0, 2}).title, HasSubstr("too noisy"));
  }
}

TEST(SpeedupCharts, OfManyCasesTheNoisyOnesAreNotTheLowest) {
  Report report = samples::many(600);
  auto& cases = report.kernels[0].write().cases;
  int noisy = 0;
  for (std::size_t i = 0; i < cases.size() && noisy < 50; ++i) {
    if (!cases[i].timing) continue;
    cases.write(i).timing->speedup = {0.001, 0, 0, Pace::undecided};
    ++noisy;
  }
  const BarChart chart = speedupChart(report);
  ASSERT_EQ(chart.bars.size(), 200U);
  for (const Bar& bar : chart.bars) EXPECT_NE(bar.text, "too noisy");
}

TEST(TensorBytes, AreThoseOfTheElements) {
  EXPECT_EQ(tensorBytesOf("((T([5, 5], f32),), {})"), 100);
  EXPECT_EQ(tensorBytesOf("((T([2, 3], f16, [1, 2]), T([4], i64)), {'dim': 1})"), 12 + 32);
  EXPECT_EQ(tensorBytesOf("((T([], f64),), {})"), 8);
  EXPECT_EQ(tensorBytesOf("((1, 2), {})"), 0);
  EXPECT_EQ(tensorBytesOf("((T([5], nonsense),), {})"), 0);
  EXPECT_EQ(tensorBytesOf("((T([5"), 0);
  EXPECT_GT(tensorBytesOf("((T([9000000000, 9000000000], f64),), {})"), std::int64_t{1} << 62);
}

TEST(SizeChart, HasACurveForEachOperatorAndType) {
  const PlaneChart chart = sizeChart(sweptRun(5));
  ASSERT_EQ(chart.points.size(), 5U);
  EXPECT_EQ(chart.points[0].x, 4096);
  EXPECT_EQ(chart.points[4].x, 65536);
  EXPECT_EQ(chart.points[4].y, 5);
  EXPECT_EQ(chart.points[4].rowId, "0/4");
  EXPECT_EQ(chart.lines[0].label, "relu f32");
  EXPECT_EQ(chart.lines[0].points.size(), 5U);
  EXPECT_EQ(chart.lines.back().points.front().second, 1) << "1× is always marked";
}

TEST(SizeChart, WithoutACurveItSaysHowToGetOne) {
  EXPECT_THAT(sizeChart(sweptRun(2)).empty, HasSubstr("sweep"));
  Report untimed = sweptRun(2);
  untimed.stages = {Stage::compile};
  EXPECT_EQ(sizeChart(untimed).empty, "Timing was not asked for. Run again with it.");
}

TEST(WhyNoTimes, NamesTheCauseAndTheNextStepInEveryChart) {
  const auto words = [](const Report& report) {
    EXPECT_EQ(speedupChart(report).empty, samplesChart(report).empty);
    return speedupChart(report).empty;
  };
  EXPECT_THAT(words(samples::compileFailure()), HasSubstr("under Problems"));
  EXPECT_THAT(words(samples::compileOnly()), HasSubstr("this machine has no GPU"));
  Report stopped = sweptRun(2);
  stopped.outcome = Outcome::finished;
  for (std::size_t i = 0; i < stopped.kernels[0]->cases.size(); ++i) {
    CaseRow& row = stopped.kernels[0].write().cases.write(i);
    row.timing.reset();
    row.notTimed = "the run ended first";
  }
  EXPECT_EQ(words(stopped), "No case was timed: the run ended first. Run again.");
  for (std::size_t i = 0; i < stopped.kernels[0]->cases.size(); ++i)
    stopped.kernels[0].write().cases.write(i).notTimed = "Interpreted: checked, not timed. Choose a GPU.";
  EXPECT_EQ(words(stopped), "Interpreted: checked, not timed. Choose a GPU.");
}

TEST(SamplesChart, ShowsAllOfBothSidesAndKeepsOutliersOnTheEdge) {
  const PlaneChart chart = samplesChart(sweptRun(3), CaseKey{0, 2});
  EXPECT_EQ(chart.points.size(), 80U);
  EXPECT_THAT(chart.title, HasSubstr("1 sample beyond the scale"));
  for (const ChartPoint& point : chart.points) {
    EXPECT_LT(point.y, 4e-6) << "an outlier of a millisecond flattens nothing";
    EXPECT_EQ(point.rowId, "0/2");
  }
  EXPECT_EQ(chart.lines[0].label, "candidate 1.01 µs");
  EXPECT_TRUE(std::any_of(chart.points.begin(), chart.points.end(), [](const ChartPoint& point) {
    return point.tone == Tone::warning && point.detail.find("1.00 ms") != std::string::npos;
  }));
}

TEST(SamplesChart, WithoutACaseItTakesTheLeastCertainOne) {
  Report report = sweptRun(3);
  CaseTiming timing = *report.kernels[0]->cases[1].timing;
  timing.speedup = {2, 0.5, 8, Pace::undecided};
  fold(report, timedStep(0, 1, timing));
  EXPECT_EQ(samplesChart(report).points.at(0).rowId, "0/1");
  EXPECT_THAT(samplesChart(report, CaseKey{7, 0}).empty, HasSubstr("was not timed"));
  EXPECT_THAT(samplesChart(samples::emptyJob()).empty, Not(IsEmpty()));
}

double sum(const StackRow& row) {
  return std::accumulate(row.shares.begin(), row.shares.end(), 0.0);
}

TEST(Stacks, HaveAShareForEveryKeyAndAtMostTheWhole) {
  for (const std::string name : {"h100_all_sections", "h100_bank_conflict", "made_softmax", "h100_spills",
                                 "h100_no_kernel", "made_static"}) {
    const Report report = recorded(name);
    for (const StackChart& chart : {stallChart(report), mixChart(report)}) {
      EXPECT_EQ(chart.rows.empty(), !chart.empty.empty()) << name << " " << chart.id;
      for (const StackRow& row : chart.rows) {
        EXPECT_EQ(row.shares.size(), chart.keys.size()) << name << " " << row.label;
        EXPECT_GT(sum(row), 0) << name << " " << row.label;
        EXPECT_LE(sum(row), 1 + 1e-9) << name << " " << row.label;
      }
    }
  }
}

TEST(Stacks, TheHottestLinesLeadToTheSource) {
  const StackChart chart = stallChart(recorded("h100_bank_conflict"));
  ASSERT_GT(chart.rows.size(), 1U);
  EXPECT_EQ(chart.rows[0].label, "all");
  EXPECT_NEAR(sum(chart.rows[0]), 1, 1e-9);
  for (std::size_t i = 1; i < chart.rows.size(); ++i) EXPECT_GT(chart.rows[i].place.line, 0);
  for (std::size_t i = 2; i < chart.rows.size(); ++i) EXPECT_GE(sum(chart.rows[i - 1]), sum(chart.rows[i]));
}

TEST(Mix, TellsWhatWasExecutedAndWhatTheCodeHas) {
  const StackChart chart = mixChart(recorded("h100_all_sections"));
  std::set<std::string> rows;
  for (const StackRow& row : chart.rows) rows.insert(row.label);
  EXPECT_TRUE(rows.contains("candidate, executed"));
  EXPECT_TRUE(rows.contains("reference, executed"));
  EXPECT_TRUE(rows.contains("code of relu"));
  // A row is of keys that some row has.
  for (std::size_t k = 0; k < chart.keys.size(); ++k)
    EXPECT_TRUE(std::any_of(chart.rows.begin(), chart.rows.end(), [k](const StackRow& row) {
      return row.shares[k] > 0;
    })) << chart.keys[k].label;
}

TEST(Mix, OfTheCodeNeedsNoGpu) {
  EXPECT_FALSE(mixChart(recorded("made_static")).rows.empty());
  EXPECT_THAT(mixChart(samples::allPass()).empty, Not(IsEmpty()));
}

TEST(MemoryChart, GoesFromTheKernelToDramAndSaysWhatIsMissing) {
  const FlowChart all = memoryChart(recorded("h100_all_sections"));
  EXPECT_EQ(all.nodes.size(), 8U);
  EXPECT_EQ(all.note, "");
  for (const FlowLink& link : all.links) EXPECT_FALSE(link.text.empty()) << link.detail;
  const FlowChart quick = memoryChart(recorded("h100_bank_conflict"));
  EXPECT_EQ(quick.nodes.size(), all.nodes.size());
  EXPECT_THAT(quick.note, HasSubstr("section"));
  EXPECT_THAT(memoryChart(samples::folded(samples::refusedRun())).empty,
              HasSubstr("NVreg_RestrictProfilingToAdminUsers"));
}

TEST(MemoryChart, ItsNodesDoNotLieOnEachOther) {
  const FlowChart chart = memoryChart(recorded("h100_all_sections"));
  for (std::size_t a = 0; a < chart.nodes.size(); ++a)
    for (std::size_t b = a + 1; b < chart.nodes.size(); ++b) {
      const FlowNode &one = chart.nodes[a], &other = chart.nodes[b];
      if (one.column != other.column) continue;
      EXPECT_TRUE(one.row + one.rows <= other.row || other.row + other.rows <= one.row)
          << one.title << " and " << other.title;
    }
}

TEST(OccupancyChart, MarksTheLaunchOnItsCurve) {
  const PlaneChart chart = occupancyChart(recorded("h100_low_occupancy"));
  ASSERT_FALSE(chart.lines.empty());
  ASSERT_FALSE(chart.points.empty());
  const ChartPoint& launched = chart.points[0];
  EXPECT_EQ(launched.label, "as launched");
  const auto& curve = chart.lines[0].points;
  EXPECT_TRUE(std::any_of(curve.begin(), curve.end(), [&](const auto& point) {
    return point.first == launched.x && point.second == launched.y;
  }));
  EXPECT_FALSE(occupancyChart(recorded("made_static")).lines.empty()) << "needs no GPU";
  EXPECT_THAT(occupancyChart(samples::allPass()).empty, Not(IsEmpty()));
}

std::vector<Earlier> earlier(const Report& report) {
  return {{"then", std::make_shared<const Report>(report)}};
}

TEST(RooflineAgainst, LeadsFromTheEarlierPlaceToTheNewOne) {
  const Report now = recorded("h100_bank_conflict");
  const PlaneChart alone = rooflineChart(now), against = rooflineAgainst(now, {}, earlier(now));
  ASSERT_FALSE(alone.points.empty());
  EXPECT_TRUE(alone.arrows.empty());
  ASSERT_EQ(against.arrows.size(), 1U);
  EXPECT_EQ(against.points.size(), alone.points.size() + 1);
  const ChartPoint &from = against.points[against.arrows[0].from], &to = against.points[against.arrows[0].to];
  EXPECT_THAT(from.label, HasSubstr("before"));
  EXPECT_THAT(to.label, HasSubstr("candidate"));
  EXPECT_EQ(from.x, to.x);
  const Report other = recorded("h100_fma_chain");
  EXPECT_EQ(rooflineAgainst(now, {}, earlier(other)).arrows.size(),
            now.kernels[0]->cases[0].definition.args == other.kernels[0]->cases[0].definition.args ? 1U : 0U);
}

TEST(ChartGoldens, OfARecordedRun) {
  const Report report = recorded("h100_all_sections");
  std::string text;
  for (const Figure& figure :
       std::vector<Figure>{memoryChart(report), mixChart(report), stallChart(recorded("h100_bank_conflict")),
                           sizeChart(sweptRun(6)), samplesChart(sweptRun(3), CaseKey{0, 2})})
    text += toText(figure, {110, false, 12}) + "\n";
  expectGolden("charts.txt", text);
}

}  // namespace
}  // namespace wb
