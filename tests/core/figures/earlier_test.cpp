// SPDX-License-Identifier: Apache-2.0
// Figures with what they were in earlier runs.
#include "core/figures/compare/earlier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/figures/figures.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr CaseKey first{0, 0};

Report profiled() {
  return samples::folded(samples::profiledRun());
}
CaseProfile& profileOf(Report& report) {
  return report.kernels[0].write().cases.write(0).profile->write();
}
Earlier named(const std::string& name, Report report) {
  return {name, std::make_shared<const Report>(std::move(report))};
}

Table beside(std::string_view id, const Report& now, OneCase only, const std::vector<Earlier>& earlier) {
  return std::get<Table>(figureBeside(*findFigure(id), now, only, earlier));
}

/// The cell of a row in the column with this title; a failure without one.
Cell cellOf(const Table& table, const std::string& rowId, const std::string& title) {
  const auto column =
      std::ranges::find_if(table.columns, [&](const Column& one) { return one.title == title; });
  const auto row = std::ranges::find_if(table.rows, [&](const Table::Row& one) { return one.id == rowId; });
  EXPECT_NE(column, table.columns.end()) << title;
  EXPECT_NE(row, table.rows.end()) << rowId;
  if (column == table.columns.end() || row == table.rows.end()) return {};
  return row->cells.at(std::size_t(column - table.columns.begin()));
}

TEST(Earlier, EveryRunHasAColumnOfItsOwnBehindTheOneThatIsCompared) {
  Report slower = profiled();
  for (MetricValue& metric : profileOf(slower).candidate.launches[0].metrics)
    if (metric.name == "gpu__time_duration.sum") metric.value *= 2;
  const Report now = profiled();
  const Table plain = std::get<Table>(findFigure("metrics")->make(now, first));
  const Table table = beside("metrics", now, first, {named("a", std::move(slower)), named("b", profiled())});
  ASSERT_EQ(table.columns.size(), plain.columns.size() + 2);
  const auto compared = std::ranges::find_if(table.columns, &Column::hasEarlier);
  ASSERT_NE(compared, table.columns.end());
  EXPECT_EQ((compared + 1)->title, "Since a");
  EXPECT_EQ((compared + 2)->title, "Since b");
  EXPECT_THAT(cellOf(table, "0/0/gpu__time_duration.sum", "Since a").text, StartsWith("−50.0 % from "));
  EXPECT_DOUBLE_EQ(cellOf(table, "0/0/gpu__time_duration.sum", "Since a").sort, -0.5);
  EXPECT_THAT(cellOf(table, "0/0/gpu__time_duration.sum", "Since b").text, HasSubstr("0 % from"));
  for (const Table::Row& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
}

TEST(Earlier, NoTwoColumnsHaveTheSameName) {
  const Table table =
      beside("metrics", profiled(), first,
             {named("relu.cpp, 04:46:01", profiled()), named("gelu.cpp, 04:46:01", profiled()),
              named("relu.cpp, 04:47:12", profiled()), named("relu.cpp, 04:47:12", profiled())});
  std::vector<std::string> titles, keys;
  for (const Column& column : table.columns)
    if (column.title.starts_with("Since ")) titles.push_back(column.title), keys.push_back(column.key);
  EXPECT_THAT(titles, testing::ElementsAre("Since relu.cpp, 04:46:01", "Since gelu.cpp, 04:46:01",
                                           "Since relu.cpp, 04:47:12", "Since relu.cpp, 04:47:12 (2)"));
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(Earlier, PercentagesDifferByPoints) {
  Report then = profiled();
  const std::string name = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
  double before = 0;
  for (MetricValue& metric : profileOf(then).candidate.launches[0].metrics)
    if (metric.name == name) before = metric.value -= 10;
  ASSERT_GT(before, 0);
  const Table table = beside("metrics", profiled(), first, {named("then", std::move(then))});
  EXPECT_THAT(cellOf(table, "0/0/" + name, "Since then").text, StartsWith("+10.0 pt from "));
}

TEST(Earlier, ALineIsTheSameWhereItsTextIs) {
  const Report now = profiled();
  Report then = now;
  KernelReport& kernel = then.kernels[0].write();
  // Two lines stood above all others, so everything was two lines further down.
  kernel.source.text = "// one\n// two\n" + kernel.source.text;
  for (PcSample& sample : profileOf(then).candidate.samples)
    if (sample.place.line > 0) sample.place.line += 2;
  for (Listing& listing : kernel.listings)
    for (Instruction& instruction : listing.instructions)
      if (instruction.line > 0) instruction.line += 2;
  const Table table = beside("hotlines", now, first, {named("then", std::move(then))});
  int known = 0;
  for (const Table::Row& row : table.rows) {
    if (row.place.line <= 0) continue;
    const Cell cell = cellOf(table, row.id, "Since then");
    EXPECT_THAT(cell.text, StartsWith("as before")) << row.id;
    ++known;
  }
  EXPECT_GT(known, 2);
}

TEST(Earlier, CasesAreFoundWhereverTheyStand) {
  const Report now = samples::allPass();
  Report then = now;
  auto& cases = then.kernels[0].write().cases;
  ASSERT_GT(cases.size(), 1U);
  std::swap(cases.write(0), cases.write(1));
  const OneCase found = sameCase(now, first, then);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, 1U);
  EXPECT_EQ(then.kernels[0]->cases[1].definition.args, now.kernels[0]->cases[0].definition.args);
  const Table table = beside("cases", now, {}, {named("then", then)});
  const auto timed = std::ranges::find_if(
      table.rows, [&](const Table::Row& row) { return !cellOf(table, row.id, "Since then").text.empty(); });
  ASSERT_NE(timed, table.rows.end());
  EXPECT_THAT(cellOf(table, timed->id, "Since then").text, HasSubstr("0 % from"));
  EXPECT_FALSE(sameCase(now, {7, 0}, then));
}

TEST(Earlier, ARunThatSaysNothingOfItAndTheRunItselfAddNoColumn) {
  const auto report = std::make_shared<const Report>(profiled());
  const Table plain = std::get<Table>(findFigure("metrics")->make(*report, first));
  EXPECT_EQ(std::get<Table>(figureBeside(*findFigure("metrics"), *report, first,
                                         std::vector<Earlier>{{"itself", report}})),
            plain);
  EXPECT_EQ(beside("metrics", *report, first, {named("empty", samples::emptyJob())}), plain);
}

TEST(Earlier, TheMemoryChartTellsTheirNumbersToo) {
  const Report now = profiled();
  const Figure figure =
      figureBeside(*findFigure("memory"), now, first, std::vector<Earlier>{named("before it", profiled())});
  const auto& chart = std::get<FlowChart>(figure);
  EXPECT_TRUE(std::ranges::any_of(chart.links, [](const FlowLink& link) {
    return link.detail.find("before it: ") != std::string::npos;
  }));
}

}  // namespace
}  // namespace wb
