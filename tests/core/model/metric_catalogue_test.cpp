// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/metric_catalogue.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/model/metrics/metric_formulas.h"

namespace wb {
namespace {

using ::testing::Contains;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> metricsOf(std::initializer_list<std::string> sections) {
  return wb::metricsOf(std::vector<std::string>(sections));
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const MetricSection& section : metricSections()) all.push_back(section.id);
  return all;
}

TEST(MetricCatalogueTest, HasTheGroupsThatUsersOfTheEvaluationServerKnow) {
  EXPECT_THAT(ids(), IsSupersetOf({"speed_of_light", "detailed", "memory", "compute", "pipelines",
                                   "occupancy", "stalls", "scheduler", "access", "roofline", "timing"}));
}

TEST(MetricCatalogueTest, EveryMetricIsSaidInFull) {
  std::set<std::string> titles;
  for (const MetricSection& section : metricSections()) {
    EXPECT_FALSE(section.title.empty()) << section.id;
    EXPECT_FALSE(section.meaning.empty()) << section.id;
    EXPECT_FALSE(section.metrics.empty()) << section.id;
    for (const std::string& name : section.metrics) {
      const MetricInfo* info = metricInfo(name);
      ASSERT_NE(info, nullptr) << name;
      EXPECT_EQ(info->name, name);
      EXPECT_FALSE(info->title.empty()) << name;
      EXPECT_FALSE(info->unit.empty()) << name;
      EXPECT_FALSE(info->meaning.empty()) << name;
      EXPECT_EQ(info->formula.empty(), !name.starts_with("derived__")) << name;
      EXPECT_TRUE(name.find("__") != std::string::npos) << name;
    }
    std::set<std::string> unique(section.metrics.begin(), section.metrics.end());
    EXPECT_EQ(unique.size(), section.metrics.size()) << section.id;
  }
}

TEST(MetricCatalogueTest, EveryMetricIsInASectionAndKnowsItsFirst) {
  for (const std::string& name : metricsOf({"all"})) EXPECT_THAT(ids(), Contains(metricInfo(name)->section));
  EXPECT_EQ(metricInfo("gpu__time_duration.sum")->section, "speed_of_light");
}

TEST(MetricCatalogueTest, SharesNeverAddUpAndCountsDo) {
  for (const std::string& name : metricsOf({"all"})) {
    const MetricInfo& info = *metricInfo(name);
    if (info.unit == "%" || info.unit.find('/') != std::string::npos) {
      EXPECT_FALSE(info.sums) << name;
    }
    if (name.ends_with(".sum")) {
      EXPECT_TRUE(info.sums) << name;
    }
    if (name.find(".pct") != std::string::npos) {
      EXPECT_EQ(info.unit, "%") << name;
    }
    if (name.ends_with(".per_second")) {
      EXPECT_THAT(info.unit, ::testing::EndsWith("/s")) << name;
    }
  }
}

TEST(MetricCatalogueTest, TheQuickSetIsEnoughForAdviceAndRoofline) {
  EXPECT_THAT(
      metricsOf({"quick"}),
      IsSupersetOf({"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                    "dram__throughput.avg.pct_of_peak_sustained_elapsed", "l1tex__t_sector_hit_rate.pct",
                    "lts__t_sector_hit_rate.pct", "sm__warps_active.avg.pct_of_peak_sustained_active",
                    "sm__inst_executed.avg.per_cycle_active",
                    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                    "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
                    "smsp__warp_issue_stalled_barrier_per_warp_active.pct"}));
  EXPECT_THAT(metricsOf({"quick"}), Not(Contains("sm__throughput.avg.pct_of_peak_sustained_elapsed")));
}

TEST(MetricCatalogueTest, FormulasAreReplacedByWhatTheyNeedAndEachNameComesOnce) {
  for (const char* section : {"quick", "all", "roofline", "access"}) {
    const std::vector<std::string> names = metricsOf({section, section, "timing"});
    EXPECT_THAT(names, ::testing::Each(Not(StartsWith("derived__")))) << section;
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << section;
  }
  EXPECT_THAT(metricsOf({"roofline"}),
              Contains("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"));
}

TEST(MetricCatalogueTest, ASingleMetricMayBeNamedInTheSectionsPlace) {
  EXPECT_EQ(metricsOf({"gpu__time_duration.sum"}), std::vector<std::string>{"gpu__time_duration.sum"});
  EXPECT_EQ(metricsOf({"derived__dram_bytes", "dram__bytes_read.sum"}),
            (std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
}

TEST(MetricCatalogueTest, AnUnknownSectionOrMetricIsNothing) {
  EXPECT_THAT(metricsOf({"no such section"}), IsEmpty());
  EXPECT_EQ(metricInfo("no__such.metric"), nullptr);
}

TEST(MetricFormulasTest, EveryFormulaIsUsedByTheCatalogueAndKnowsItsInputs) {
  std::set<std::string> used;
  for (const MetricSection& section : metricSections())
    for (const std::string& name : section.metrics) used.insert(metricInfo(name)->formula);
  for (const std::string_view formula : metricFormulas()) {
    EXPECT_TRUE(used.contains(std::string(formula))) << formula;
    for (const std::string& input : formulaInputs(formula)) {
      const MetricInfo* info = metricInfo(input);
      ASSERT_NE(info, nullptr) << input;
      EXPECT_EQ(info->formula, "") << input;
    }
  }
}

const char* const tensorActive = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";

TEST(MetricFormulasTest, AMissingInputIsNotANumber) {
  for (const std::string_view formula : metricFormulas()) {
    std::vector<MetricValue> values;
    for (const std::string& input : formulaInputs(formula))
      values.push_back({input, input == tensorActive ? 0.0 : 1.0});
    EXPECT_TRUE(std::isfinite(evaluateFormula(formula, values))) << formula;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<MetricValue> less = values;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_TRUE(std::isnan(evaluateFormula(formula, less))) << formula << " without " << values[i].name;
    }
  }
  EXPECT_TRUE(std::isnan(evaluateFormula("no such formula", {})));
  EXPECT_THAT(formulaInputs("no such formula"), IsEmpty());
}

TEST(MetricFormulasTest, AnFmaCountsTwo) {
  const std::vector<MetricValue> values{{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 10},
                                        {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 100},
                                        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000}};
  EXPECT_THAT(evaluateFormula("flop_fp32", values), DoubleEq(2110));
}

TEST(MetricFormulasTest, RatesArePerSecondOfANanosecondCounter) {
  const std::vector<MetricValue> values{
      {"dram__bytes_read.sum", 3e6}, {"dram__bytes_write.sum", 1e6}, {"gpu__time_duration.sum", 2000}};
  EXPECT_THAT(evaluateFormula("dram_bytes_per_second", values), DoubleEq(2e12));
}

TEST(MetricFormulasTest, AZeroDenominatorIsNotANumber) {
  EXPECT_TRUE(std::isnan(
      evaluateFormula("sectors_per_request_global_load",
                      std::vector<MetricValue>{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0},
                                               {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0}})));
}

TEST(MetricFormulasTest, TensorOperationsAreUnknownWhereTheCoresWorkedUncounted) {
  EXPECT_EQ(evaluateFormula("flop_tensor", std::vector<MetricValue>{{tensorActive, 0}}), 0);
  EXPECT_TRUE(std::isnan(evaluateFormula("flop_tensor", std::vector<MetricValue>{{tensorActive, 40}})));
  std::vector<MetricValue> counted{{tensorActive, 40},
                                   {"sm__ops_path_tensor_src_fp16.sum", 1000},
                                   {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 100},
                                   {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", 10}};
  EXPECT_THAT(evaluateFormula("flop_tensor", counted), DoubleEq(1110));
  counted.push_back({"sm__ops_path_tensor_src_fp8.sum", 1});
  EXPECT_THAT(evaluateFormula("flop_tensor", counted), DoubleEq(1111));
  counted[1].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(evaluateFormula("flop_tensor", counted)));
}

TEST(MetricFormulasTest, DerivedMetricsAreAddedWhereTheirInputsAre) {
  std::vector<MetricValue> values{{"dram__bytes_read.sum", 3}, {"dram__bytes_write.sum", 1}};
  addDerived(values);
  EXPECT_THAT(values,
              ElementsAre(MetricValue{"dram__bytes_read.sum", 3}, MetricValue{"dram__bytes_write.sum", 1},
                          MetricValue{"derived__dram_bytes", 4}));
  addDerived(values);
  EXPECT_EQ(values.size(), 3U);
}

TEST(MetricFormulasTest, ACallOfSeveralKernelsSumsCountsAndRecomputesRatios) {
  const auto launch = [](double sectors, double requests, double hits) {
    Launch made;
    made.metrics = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
                    {"lts__t_sector_hit_rate.pct", hits}};
    addDerived(made.metrics);
    return made;
  };
  const std::vector<Launch> two{launch(400, 100, 50), launch(3200, 100, 10)};
  EXPECT_THAT(metricsOfCall(two),
              ElementsAre(MetricValue{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 3600},
                          MetricValue{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 200},
                          MetricValue{"derived__sectors_per_request_global_load", 18}));
  EXPECT_EQ(metricsOfCall(std::span(two).first(1)), two.front().metrics);
  EXPECT_THAT(metricsOfCall({}), IsEmpty());
}

TEST(MetricFormulasTest, WhatOneLaunchLacksTheCallLacks) {
  Launch with, without;
  with.metrics = {{"dram__bytes_read.sum", 3}};
  EXPECT_THAT(metricsOfCall(std::vector<Launch>{with, without}), IsEmpty());
}

}  // namespace
}  // namespace wb
