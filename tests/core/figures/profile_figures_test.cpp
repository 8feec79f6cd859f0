// SPDX-License-Identifier: Apache-2.0
#include "core/figures/profile/profile_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/figures/advice/advice.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/figures/text/text_width.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Report> all() {
  return {samples::folded(samples::profiledRun()),
          samples::folded(samples::severalLaunchesRun()),
          samples::folded(samples::refusedRun()),
          samples::folded(samples::staticRun()),
          samples::allPass(),
          samples::emptyJob()};
}

std::size_t column(const Table& table, std::string_view key) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].key == key) return c;
  ADD_FAILURE() << "no column " << key;
  return 0;
}

const std::vector<Cell>* row(const Table& table, const std::string& id) {
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (table.rows[r].id == id) return &table.rows[r].cells;
  ADD_FAILURE() << "no row " << id;
  return nullptr;
}

TEST(ProfileFigures, TablesAreRectangularAndChartsSayWhyTheyAreEmpty) {
  for (const Report& report : all())
    for (const FigureInfo& info : figures()) {
      const Figure figure = info.make(report);
      if (const auto* table = std::get_if<Table>(&figure)) {
        std::set<std::string> ids;
        for (const Table::Row& row : table->rows)
          EXPECT_TRUE(ids.insert(row.id).second) << table->id << ": " << row.id;
        EXPECT_EQ(table->rows.empty(), !table->empty.empty()) << table->id;
        for (const Table::Row& row : table->rows)
          EXPECT_EQ(row.cells.size(), table->columns.size()) << table->id;
      } else if (const auto* plane = std::get_if<PlaneChart>(&figure)) {
        EXPECT_EQ(plane->points.empty() && plane->lines.empty(), !plane->empty.empty());
      } else if (const auto* time = std::get_if<TimeChart>(&figure)) {
        EXPECT_EQ(time->lanes.empty(), !time->empty.empty());
      } else if (const auto* stack = std::get_if<StackChart>(&figure)) {
        EXPECT_EQ(stack->rows.empty(), !stack->empty.empty());
      } else if (const auto* flow = std::get_if<FlowChart>(&figure)) {
        EXPECT_EQ(flow->nodes.empty(), !flow->empty.empty());
      }
    }
}

TEST(ProfileFigures, EmptyOnesSayWhyAndWhatToDo) {
  EXPECT_THAT(metricsTable(samples::allPass()).empty, HasSubstr("Profile the kernel"));
  const Report refused = samples::folded(samples::refusedRun());
  EXPECT_THAT(metricsTable(refused).empty, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(stallChart(refused).empty, HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_FALSE(timelineChart(refused).lanes.empty()) << "activity needs no permission";
  EXPECT_EQ(launchesTable(refused).rows.size(), 2U);
  const Report noGpu = samples::folded(samples::staticRun());
  EXPECT_THAT(metricsTable(noGpu).empty, HasSubstr("need a GPU"));
  EXPECT_EQ(instructionsTable(noGpu).rows.size(), 7U) << "the static view needs none";
}

TEST(ProfileFigures, WhatWasLeftOutIsSaidToBe) {
  samples::Run run = samples::refusedRun();
  run.job.profile.timeline = run.job.profile.lines = false;
  run.job.profile.sections.clear();
  std::erase_if(run.events, [](const Event& event) { return is<ProfilePart>(event); });
  const Report report = samples::folded(run);
  EXPECT_THAT(timelineChart(report).empty, HasSubstr("asked for"));
  EXPECT_THAT(hotLinesTable(report).empty, HasSubstr("asked for"));
  EXPECT_THAT(metricsTable(report).empty, HasSubstr("asked for"));
}

TEST(ProfileFigures, MetricsStandSideBySideWithTheirDifference) {
  const Table table = metricsTable(samples::folded(samples::profiledRun()));
  const auto* dram = row(table, "0/0/dram__throughput.avg.pct_of_peak_sustained_elapsed");
  ASSERT_NE(dram, nullptr);
  EXPECT_EQ((*dram)[column(table, "candidate")].text, "84.6 %");
  EXPECT_NEAR((*dram)[column(table, "candidate")].bar, 0.846, 1e-9);
  EXPECT_EQ((*dram)[column(table, "difference")].text, "↑ +22.2 pt");
  EXPECT_EQ((*dram)[column(table, "difference")].tone, Tone::neutral)
      << "only time, bytes and spills have colours";
  const auto* time = row(table, "0/0/gpu__time_duration.sum");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ((*time)[column(table, "candidate")].text, "98.1 µs");
  EXPECT_EQ((*time)[column(table, "difference")].text, "−26.5 %");
  EXPECT_EQ((*time)[column(table, "difference")].tone, Tone::good) << "less time is better";
  const auto* flop = row(table, "0/0/derived__flop_fp32");
  ASSERT_NE(flop, nullptr) << "formulas are computed";
  EXPECT_EQ((*flop)[column(table, "candidate")].text, "336 MFLOP") << "an FMA counts two";
}

TEST(ProfileFigures, WhatTheAdviceRestsOnStandsFirstAndOnce) {
  const Report report = samples::folded(samples::profiledRun());
  const Table advice = adviceTable(report), table = metricsTable(report);
  ASSERT_FALSE(advice.rows.empty());
  const std::string rule = advice.rows[0].id.substr(advice.rows[0].id.rfind('/') + 1);
  const auto at = std::find_if(adviceRules().begin(), adviceRules().end(),
                               [&](const AdviceRule& one) { return one.id == rule; });
  ASSERT_NE(at, adviceRules().end());
  ASSERT_FALSE(at->metrics.empty());
  EXPECT_EQ(table.rows[0].cells[column(table, "section")].text, "Behind the advice");
  const auto isNamed = [&](std::string_view metric) {
    return table.rows[0].id == "0/0/" + std::string(metric);
  };
  EXPECT_TRUE(std::any_of(at->metrics.begin(), at->metrics.end(), isNamed)) << table.rows[0].id;
  std::set<std::string> ids;
  for (const Table::Row& one : table.rows) EXPECT_TRUE(ids.insert(one.id).second) << one.id;
}

TEST(ProfileFigures, UnknownMetricsAndMissingOnesAreNamed) {
  const Table table = metricsTable(samples::folded(samples::profiledRun()));
  ASSERT_NE(row(table, "0/0/my__own_metric.sum"), nullptr);
  const auto* missing = row(table, "0/0/missing/no__such_metric.sum");
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ((*missing)[column(table, "candidate")].text, "not on this GPU");
}

TEST(ProfileFigures, ACallOfSeveralLaunchesHasTheSumAndEachOfThem) {
  const Table table = metricsTable(samples::folded(samples::severalLaunchesRun()));
  const std::string time = "0/0/gpu__time_duration.sum";
  const std::size_t candidate = column(table, "candidate");
  EXPECT_EQ((*row(table, time))[candidate].text, "2.21 ms");
  EXPECT_THAT((*row(table, time))[candidate].detail, HasSubstr("all 3 launches"));
  EXPECT_EQ((*row(table, time + "/0"))[candidate].text, "3.10 µs");
  EXPECT_EQ((*row(table, time + "/1"))[candidate].text, "2.20 ms");
  // Shares do not add up.
  const auto* share = row(table, "0/0/dram__throughput.avg.pct_of_peak_sustained_elapsed");
  EXPECT_THAT((*share)[candidate].detail, HasSubstr("longest launch, mm"));
}

TEST(ProfileFigures, LaunchesKnowTheirOccupancy) {
  const Table table = launchesTable(samples::folded(samples::profiledRun()));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells[column(table, "theoretical")].text, "100 %");
  EXPECT_EQ(table.rows[0].cells[column(table, "waves")].text, "7.76");
  EXPECT_EQ(table.rows[0].cells[column(table, "achieved")].text, "87.3 %");
  EXPECT_EQ(table.rows[1].cells[column(table, "kernel")].text, "cunn_SoftMax");
}

TEST(ProfileFigures, ACallOfVeryManyLaunchesIsCounted) {
  samples::Run run = samples::profiledRun();
  for (Event& event : run.events)
    if (auto* profiled = resultIn<ProfilePart>(event)) {
      const Launch first = profiled->part.launches.front();
      profiled->part.launches.resize(260, first);
      profiled->part.samples.clear();
    }
  const Report report = samples::folded(run);
  const Table launches = launchesTable(report), metrics = metricsTable(report);
  EXPECT_EQ(launches.rows.size(), 402U);
  EXPECT_EQ(launches.rows[200].cells[column(launches, "kernel")].text, "… and 60 more launches");
  EXPECT_EQ(metrics.rows[9].cells[column(metrics, "metric")].text, "  … 252 more launches");
}

TEST(ProfileFigures, OccupancyByBlockSizeSaysWhatWouldLetOneMoreIn) {
  const Table table = occupancyTable(samples::folded(samples::severalLaunchesRun()));
  ASSERT_EQ(table.rows.size(), 9U);
  const auto* launched = row(table, "0/0/256");
  ASSERT_NE(launched, nullptr);
  // 128 registers × 256 threads: two blocks fill the 65 536 registers; at 80 a third fits.
  EXPECT_EQ((*launched)[column(table, "blocks")].text, "2");
  EXPECT_EQ((*launched)[column(table, "share")].text, "25.0 %");
  EXPECT_EQ((*launched)[column(table, "more")].text, "80 registers a thread");
  EXPECT_EQ((*launched)[column(table, "note")].text, "launched so");
  EXPECT_EQ((*row(table, "0/0/1024"))[column(table, "blocks")].text, "0") << "131 072 registers a block";
  EXPECT_EQ(occupancyTable(samples::folded(samples::staticRun())).rows.size(), 9U) << "needs no GPU";
}

TEST(ProfileFigures, StallSharesAddUpWithoutCountingTwice) {
  const StackChart chart = stallChart(samples::folded(samples::profiledRun()));
  ASSERT_FALSE(chart.rows.empty());
  double sum = 0;
  for (const double share : chart.rows.front().shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(chart.keys.front().label, "long scoreboard");
  EXPECT_EQ(chart.keys.front().meaning, "waits for global or local memory");
  EXPECT_THAT(chart.axis, HasSubstr("12 lost"));
  EXPECT_EQ(chart.keys.back().label, "other reasons") << "ten colours cannot be told apart";
  EXPECT_EQ(stallText("unheard_of"), "unheard of") << "a reason that is not known keeps its name";
}

TEST(ProfileFigures, HotLinesPointIntoTheSource) {
  const Report report = samples::folded(samples::profiledRun());
  const Table table = hotLinesTable(report);
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[0].place, (Place{"kernels/softmax.cu", 14, 0}));
  EXPECT_EQ(table.rows[0].cells[0].text, "14");
  EXPECT_THAT(table.rows[0].cells[column(table, "source")].text, HasSubstr("sum += expf(row[i] - most);"));
  EXPECT_EQ(table.rows.back().cells[0].text, "no line");
  const std::vector<LineHeat> heat = lineHeat(report, {0, 0});
  ASSERT_EQ(heat.size(), 4U);
  EXPECT_EQ(heat[0].line, 14);
  EXPECT_GT(heat[0].share, 0.5);
  EXPECT_TRUE(lineHeat(report, {0, 1}).empty());
  EXPECT_TRUE(lineHeat(report, {7, 0}).empty());
}

TEST(ProfileFigures, InstructionsCarryTheirSamples) {
  const Table table = instructionsTable(samples::folded(samples::profiledRun()));
  ASSERT_EQ(table.rows.size(), 7U);
  const auto* load = row(table, "0/0/496");
  ASSERT_NE(load, nullptr);
  EXPECT_EQ((*load)[column(table, "offset")].text, "01f0");
  EXPECT_THAT((*load)[column(table, "text")].text, HasSubstr("LDG.E"));
  EXPECT_EQ((*load)[column(table, "samples")].text, "49.4 %");
  EXPECT_EQ(table.rows[4].place.file, "math_functions.hpp");
}

TEST(ProfileFigures, OfAFunctionCompiledForSeveralDtypesTheFormThatRanIsShown) {
  samples::Run run = samples::profiledRun();
  for (Event& event : run.events)
    if (auto* listed = resultIn<Listed>(event)) {
      Listing other = listed->listings[0];
      for (Instruction& instruction : other.instructions) instruction.line += 1;
      listed->listings.insert(listed->listings.begin(), other);
    }
  const Table table = instructionsTable(samples::folded(run));
  ASSERT_EQ(table.rows.size(), 7U);
  EXPECT_EQ(table.rows[1].place.line, 11) << "the other form has that instruction on line 12";
}

TEST(ProfileFigures, WithoutSamplesEveryFormIsShownUnderItsDtype) {
  samples::Run run = samples::staticRun();
  for (Event& event : run.events) {
    if (auto* listed = resultIn<Listed>(event)) listed->listings.push_back(listed->listings[0]);
    if (auto* compiled = resultIn<Compiled>(event)) {
      compiled->artifacts.push_back(compiled->artifacts[0]);
      compiled->artifacts[1].dtype = "bf16";
    }
  }
  const Table table = instructionsTable(samples::folded(run));
  ASSERT_EQ(table.rows.size(), 14U);
  std::set<std::string> ids;
  for (const Table::Row& row : table.rows) ids.insert(row.id);
  EXPECT_EQ(ids.size(), 14U);
  EXPECT_THAT(table.rows[0].cells[0].text, testing::EndsWith("· f32"));
  EXPECT_THAT(table.rows[13].cells[0].text, testing::EndsWith("· bf16"));
}

TEST(ProfileFigures, SampledFunctionsWithoutAListingStillShow) {
  samples::Run run = samples::profiledRun();
  std::erase_if(run.events, [](const Event& event) { return is<Listed>(event); });
  const Table table = instructionsTable(samples::folded(run));
  EXPECT_EQ(table.rows.size(), 6U);
}

TEST(ProfileFigures, TimelineHasALaneForTheHostAndEachStream) {
  const TimeChart chart = timelineChart(samples::folded(samples::profiledRun()));
  ASSERT_EQ(chart.lanes.size(), 4U);
  EXPECT_EQ(chart.lanes[0].label, "candidate · host");
  EXPECT_EQ(chart.lanes[1].label, "candidate · stream 7");
  EXPECT_EQ(chart.lanes[3].spans.size(), 2U);
  EXPECT_THAT(chart.title, HasSubstr("reference idle 2.30 µs"));
}

TEST(ProfileFigures, RooflinePutsBothSidesUnderTheMeasuredRoofs) {
  const Report report = samples::folded(samples::profiledRun());
  const PlaneChart chart = rooflineChart(report);
  ASSERT_EQ(chart.points.size(), 2U);
  EXPECT_NEAR(chart.points[0].x, (67.1e6 + 2 * 134.2e6) / 270.3e6, 1e-3);
  EXPECT_NEAR(chart.points[0].y, (67.1e6 + 2 * 134.2e6) / 98.1e-6, 1e9);
  EXPECT_EQ(chart.lines.size(), 9U);
  for (const ChartLine& line : chart.lines)
    EXPECT_LT(line.points[0].first, line.points[1].first) << line.label;
  const Table table = rooflineTable(report);
  const auto* ours = row(table, "0/0/candidate");
  ASSERT_NE(ours, nullptr);
  EXPECT_EQ((*ours)[column(table, "bound")].text, "DRAM");
  EXPECT_EQ((*ours)[column(table, "share")].text, "91.2 %");
}

TEST(ProfileFigures, AKernelWithoutOperationsIsPlacedByItsBytes) {
  samples::Run run = samples::profiledRun();
  for (Event& event : run.events)
    if (auto* profiled = resultIn<ProfilePart>(event))
      for (Launch& launch : profiled->part.launches)
        for (MetricValue& metric : launch.metrics)
          if (metric.name.find("_op_f") != std::string::npos) metric.value = 0;
  const PlaneChart chart = rooflineChart(samples::folded(run));
  ASSERT_EQ(chart.points.size(), 2U);
  EXPECT_NEAR(chart.points[0].y / chart.points[0].x, 270.3e6 / 98.1e-6, 1e9)
      << "its share of the memory roof";
  EXPECT_THAT(chart.points[0].detail, HasSubstr("placed by its bytes alone"));
}

TEST(ProfileFigures, TensorOperationsThatWereNotCountedAreNotZero) {
  samples::Run run = samples::severalLaunchesRun();
  for (Event& event : run.events)
    if (auto* profiled = resultIn<ProfilePart>(event))
      for (Launch& launch : profiled->part.launches)
        std::erase_if(launch.metrics,
                      [](const MetricValue& m) { return m.name.starts_with("sm__ops_path"); });
  const PlaneChart chart = rooflineChart(samples::folded(run));
  ASSERT_EQ(chart.points.size(), 2U);
  EXPECT_THAT(chart.points[1].detail, HasSubstr("add the section tensor"));
}

TEST(ProfileFigures, AdviceIsWrappedNotCut) {
  const std::string text = toText(adviceTable(samples::folded(samples::profiledRun())), {70, false, 0});
  EXPECT_THAT(text, HasSubstr("\n  addresses (saves ≤ 72 %) (line 16)"));
}

TEST(ProfileFigures, OneCaseCanBeChosen) {
  const Report report = samples::folded(samples::severalLaunchesRun());
  EXPECT_EQ(profiledCases(report), (std::vector<CaseKey>{{0, 0}, {0, 1}}));
  EXPECT_EQ(metricsTable(report).columns.front().key, "section") << "one case alone has numbers";
  EXPECT_EQ(metricsTable(report, CaseKey{0, 0}).columns.front().key, "section");
  EXPECT_EQ(metricsTable(report, CaseKey{0, 1}).empty, "the worker was asked to stop");
  EXPECT_THAT(problemsTable(report).rows.back().cells[2].text, HasSubstr("the worker was asked to stop"));
}

TEST(ProfileFigures, SeveralCasesAreToldApart) {
  samples::Run run = samples::profiledRun();
  for (Event& event : run.events)
    if (is<ProfilePart>(event) && std::get<StepDone>(event).index == 0U) {
      StepDone second = std::get<StepDone>(event);
      second.index = 1;
      run.events.insert(run.events.end() - 1, second);
      break;
    }
  const Report report = samples::folded(run);
  EXPECT_EQ(metricsTable(report).columns.front().key, "case");
  EXPECT_EQ(rooflineChart(report).points.size(), 3U);
  EXPECT_EQ(metricsTable(report, CaseKey{0, 1}).columns.front().key, "section");
}

/// The profiled run with its case's counters, and a second case's, read so.
Report counted(CacheState first, std::optional<CacheState> second = std::nullopt) {
  samples::Run run = samples::profiledRun();
  std::vector<Event> more;
  for (Event& event : run.events) {
    auto* profiled = resultIn<ProfilePart>(event);
    if (profiled == nullptr || std::get<StepDone>(event).index != 0U) continue;
    if (second) {
      more.emplace_back(event);
      std::get<StepDone>(more.back()).index = 1;
      resultIn<ProfilePart>(more.back())->part.caches = *second;
    }
    profiled->part.caches = first;
  }
  run.events.insert(run.events.end() - 1, more.begin(), more.end());
  return samples::folded(run);
}

TEST(ProfileFigures, EveryFigureOfCountersSaysColdOrHot) {
  for (const auto& [state, text] :
       {std::pair{CacheState::cold, ", cold L2"}, {CacheState::hot, ", hot L2"}}) {
    const Report report = counted(state);
    EXPECT_EQ(metricsTable(report).title, std::string("Metrics") + text);
    EXPECT_EQ(launchesTable(report).title, std::string("Launches") + text);
    EXPECT_EQ(adviceTable(report).title, std::string("Advice") + text);
    EXPECT_EQ(rooflineChart(report).title, std::string("Roofline") + text);
    EXPECT_EQ(rooflineTable(report).title, std::string("Roofline in numbers") + text);
    // Samples and activity are of a call that has just run, whatever the counters were read with.
    EXPECT_THAT(stallChart(report).title, HasSubstr("wait for, hot L2"));
    EXPECT_THAT(timelineChart(report).title, HasSubstr("one call, hot L2"));
    EXPECT_EQ(hotLinesTable(report).title, "Hot lines of the candidate, hot L2");
  }
  EXPECT_EQ(metricsTable(counted(CacheState::unknown)).title, "Metrics") << "what is not known is not said";
}

TEST(ProfileFigures, CasesThatDifferInColdAndHotSayItThemselves) {
  const Report report = counted(CacheState::cold, CacheState::hot);
  const Table table = metricsTable(report);
  EXPECT_EQ(table.title, "Metrics");
  ASSERT_FALSE(table.rows.empty());
  EXPECT_THAT(table.rows.front().cells[0].text, testing::EndsWith(", cold L2"));
  EXPECT_THAT(table.rows.back().cells[0].text, testing::EndsWith(", hot L2"));
  EXPECT_EQ(metricsTable(report, CaseKey{0, 1}).title, "Metrics, hot L2");
  const Report alike = counted(CacheState::hot, CacheState::hot);
  EXPECT_EQ(metricsTable(alike).title, "Metrics, hot L2");
  EXPECT_THAT(metricsTable(alike).rows.front().cells[0].text, Not(HasSubstr("L2")));
}

TEST(ProfileFigures, EveryLineFitsTheTerminal) {
  for (const std::size_t width : {60U, 80U, 120U})
    for (const Report& report : all())
      for (const FigureInfo& info : figures()) {
        if (info.page != Page::profile || !report.stages.has(Stage::profile)) continue;
        const Figure figure = info.make(report);
        // A reason is as long as it is.
        if (!whyEmpty(figure).empty()) continue;
        std::istringstream lines(toText(figure, {width, false, 0}));
        bool title = true;
        for (std::string line; std::getline(lines, line); title = false)
          if (!title) {
            EXPECT_LE(displayWidth(line), width) << info.id << ": " << line;
          }
      }
}

TEST(ProfileFigures, ConditionsOfTimingAreInTheEnvironmentAndTheCases) {
  const Report report = samples::folded(samples::profiledRun());
  const std::string text = toText(environmentTable(report));
  EXPECT_THAT(text, HasSubstr("SM 1.98 GHz, memory 2.62 GHz"));
  EXPECT_THAT(text, HasSubstr("540 – 600 W, 44.0 – 47.0 °C"));
  EXPECT_THAT(text, HasSubstr("power cap in 2 of 8 blocks"));
  EXPECT_THAT(text, HasSubstr("99.8 % of reads came from memory after the L2 cache was emptied"));
  EXPECT_THAT(text, HasSubstr("TF32 off, reduced-precision sums on"));
  const Table cases = casesTable(report);
  EXPECT_EQ(cases.rows[0].cells[column(cases, "time")].text, "kernel, cold");
  for (const char* time : {"kernelHot", "step", "call"})
    EXPECT_FALSE(cases.rows[0].cells[column(cases, time)].text.empty()) << time;
  EXPECT_THAT(cases.rows[0].cells[column(cases, "speedup")].detail, HasSubstr("they agree"));
  EXPECT_THAT(text, HasSubstr("kernel, cold: CUPTI's records"));
  EXPECT_EQ(cases.rows[0].cells[column(cases, "floor")].text, "90.6 %");
  EXPECT_EQ(cases.rows[0].cells[column(cases, "speedup")].tone, Tone::good);
  EXPECT_THAT(cases.rows[0].cells[column(cases, "speedup")].detail, HasSubstr("kernels that ran: softmax"));
}

TEST(ProfileFigures, ColdCachesAreProvedOrSaidNotToBe) {
  Report report = samples::folded(samples::profiledRun());
  ASSERT_TRUE(report.ceilings);
  report.ceilings->evicted = 0.6;
  EXPECT_THAT(toText(environmentTable(report)), HasSubstr("not proved: 60.0 % of reads came from memory"));
  report.ceilings->evicted = 0;
  EXPECT_THAT(toText(environmentTable(report)), HasSubstr("not proved: whether the L2 cache is emptied"));
  report.ceilings.reset();
  EXPECT_THAT(toText(environmentTable(report)), HasSubstr("not proved: this GPU has not been measured yet"));
}

TEST(EnvironmentFigure, TheWallsThatStoodAreSaid) {
  Report report;
  EXPECT_THAT(toText(environmentTable(report)), testing::Not(HasSubstr("Walls")));
  report.target.walls = {"files: Landlock 7", "network: none"};
  EXPECT_THAT(toText(environmentTable(report)), HasSubstr("files: Landlock 7; network: none"));
}

}  // namespace
}  // namespace wb
