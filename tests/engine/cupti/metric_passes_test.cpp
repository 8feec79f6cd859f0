// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "core/engine/cupti/host.h"
#include "core/jobs/evaluation/contract_metrics.h"
#include "core/model/metrics/metric_catalogue.h"
#include "tests/core/figures/golden.h"

namespace wb {
namespace {

using ::testing::IsEmpty;

/// Plans are made here, not taken from the user's cache.
class MetricPassesTest : public ::testing::Test {
 protected:
  MetricPassesTest() { setenv("WARPBENCH_CACHE", folder_.c_str(), 1); }
  ~MetricPassesTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("wb_passes_" + std::to_string(getpid()));
};

CounterPlan planOf(const std::string& chip, const std::vector<std::string>& sections) {
  const Result<CounterPlan> plan = planCounters(chip, metricsOf(sections));
  EXPECT_TRUE(plan) << describe(plan.error());
  return plan ? *plan : CounterPlan{};
}

CounterPlan planOf(const std::string& chip, const std::string& section) {
  return planOf(chip, std::vector<std::string>{section});
}

TEST_F(MetricPassesTest, Gh100HasEveryMetricOfTheCatalogue) {
  const CounterPlan all = planOf("GH100", "all");
  EXPECT_THAT(all.missing, IsEmpty());
  EXPECT_GT(all.metrics.size(), 100U);
}

TEST_F(MetricPassesTest, TheQuickSetSharesAtMostFivePasses) {
  const CounterPlan quick = planOf("GH100", "quick");
  EXPECT_GE(quick.metrics.size(), 16U);
  EXPECT_LE(quick.passes, 5U);
}

/// Passes of each section and what each chip lacks. A change is looked at in the file's diff.
TEST_F(MetricPassesTest, PassesAndMissingMetricsByChip) {
  std::string text = "GH100, passes (metrics)\n";
  std::vector<std::string> sections{"quick"};
  for (const MetricSection& section : metricSections()) sections.push_back(section.id);
  sections.push_back("all");
  for (const std::string& section : sections) {
    const CounterPlan plan = planOf("GH100", section);
    text += fmt::format("  {:<16}{:>3} ({})\n", section, plan.passes, plan.metrics.size());
  }
  const CounterPlan contract = planOf("GH100", countedMetrics());
  text += fmt::format("  evaluation server {} ({})\n", contract.passes, contract.metrics.size());
  text += "\nOther chips, passes of quick and of all, and what they lack\n";
  for (const char* chip : {"GV100", "TU102", "GA100", "GA102", "AD102", "GB100", "GB202"}) {
    const CounterPlan all = planOf(chip, "all");
    text += fmt::format("  {} {} {}\n", chip, planOf(chip, "quick").passes, all.passes);
    for (const std::string& metric : all.missing) text += fmt::format("    {}\n", metric);
  }
  expectGolden("metric_passes.txt", text);
}

}  // namespace
}  // namespace wb
