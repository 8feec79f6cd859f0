// SPDX-License-Identifier: Apache-2.0
// What every figure of the list has to keep, and what walks the list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/figures/figures.h"
#include "core/figures/profile/case_facts.h"
#include "core/figures/text/report_text.h"
#include "tests/core/figures/profile_sample.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Report> someReports() {
  return {samples::allPass(),
          samples::mixedFailures(),
          samples::severalKernels(),
          samples::folded(samples::profiledRun()),
          samples::folded(samples::severalLaunchesRun()),
          samples::folded(samples::staticRun())};
}

TEST(FigureList, EveryFigureIsOfTheKindThatTheListSays) {
  std::set<std::string_view> ids;
  for (const FigureInfo& info : figures()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_EQ(findFigure(info.id), &info);
    for (const Report& report : someReports())
      EXPECT_EQ(info.make(report).index(), static_cast<std::size_t>(info.kind)) << info.id;
  }
  EXPECT_EQ(findFigure("nonsense"), nullptr);
}

TEST(FigureList, FiguresOfOneTitleStandTogether) {
  std::set<std::string_view> done;
  std::string_view last;
  for (const FigureInfo& info : figures()) {
    if (info.title != last && !info.title.empty()) {
      EXPECT_TRUE(done.insert(info.title).second) << info.id;
    }
    last = info.title;
  }
}

/// What a view relies on when it decides by kind.
void expectKindsHold(const Table& table) {
  bool grouped = true;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    EXPECT_FALSE(column.title.empty()) << table.id << " " << column.key;
    const bool isGroup = column.kind == ColumnKind::group;
    EXPECT_TRUE(grouped || !isGroup) << table.id << ": groups come first, " << column.key;
    grouped = isGroup;
    EXPECT_TRUE(column.unit.empty() || isNumber(column.kind)) << table.id << " " << column.key;
    for (const Table::Row& row : table.rows) {
      const Cell& cell = row.cells[c];
      if (column.kind == ColumnKind::share) {
        EXPECT_EQ(std::isnan(cell.sort), std::isnan(cell.bar)) << table.id << " " << row.id;
      }
      EXPECT_TRUE(std::isnan(cell.bar) || (cell.bar >= 0 && cell.bar <= 1)) << table.id << " " << row.id;
      if (isNumber(column.kind) && cell.text.empty()) {
        EXPECT_TRUE(std::isnan(cell.sort)) << table.id << " " << row.id;
      }
    }
  }
}

TEST(FigureList, ColumnsKeepWhatTheirKindsSay) {
  for (const Report& report : someReports())
    for (const FigureInfo& info : figures()) {
      const Figure figure = info.make(report);
      if (const auto* table = std::get_if<Table>(&figure)) expectKindsHold(*table);
    }
}

TEST(ReportText, ShowsTheFiguresOfRankZeroAndEachReasonOnce) {
  const std::string text = reportText(samples::folded(samples::profiledRun()), {});
  EXPECT_THAT(text, HasSubstr("Profile of "));
  EXPECT_THAT(text, HasSubstr("Metrics, cold L2"));
  EXPECT_THAT(text, HasSubstr("Timeline of one call"));
  EXPECT_THAT(text, Not(HasSubstr("Roofline in numbers"))) << "rank 1 is for reports";
  EXPECT_THAT(text, Not(HasSubstr("PTX of the candidate")));
  const std::string refused = reportText(samples::folded(samples::refusedRun()), {});
  const std::size_t first = refused.find("NVreg_RestrictProfilingToAdminUsers");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(refused.find("NVreg_RestrictProfilingToAdminUsers", first + 1), std::string::npos);
}

TEST(ReportText, WithoutAGpuItShowsWhatTheCompilerMade) {
  const std::string text = reportText(samples::folded(samples::staticRun()), {});
  EXPECT_THAT(text, HasSubstr("the static view alone"));
  EXPECT_THAT(text, HasSubstr("Occupancy by block size"));
  EXPECT_THAT(text, HasSubstr("Machine code of the candidate"));
  EXPECT_THAT(text, Not(HasSubstr("Metrics")));
}

TEST(ReportText, WithoutAProfileThereIsNoneOfIt) {
  const std::string text = reportText(samples::allPass(), {});
  EXPECT_THAT(text, HasSubstr("Speedup by case"));
  EXPECT_THAT(text, HasSubstr("Operators"));
  EXPECT_THAT(text, Not(HasSubstr("Profile")));
}

TEST(CaseFacts, TheSummaryCountsMetricsPassesAndSamples) {
  const Report report = samples::folded(samples::profiledRun());
  EXPECT_THAT(profileSummary(report, CaseKey{0, 0}), HasSubstr("metrics in "));
  EXPECT_THAT(profileSummary(report, CaseKey{0, 0}), HasSubstr(" samples"));
  EXPECT_EQ(profileSummary(report, {}), "");
  EXPECT_EQ(profileSummary(report, CaseKey{7, 0}), "");
}

TEST(CaseFacts, ReasonsThatAreAPartOfOthersDoNotCountTwice) {
  samples::Run run = samples::profiledRun();
  const std::string before = profileSummary(samples::folded(run), CaseKey{0, 0});
  for (Event& event : run.events)
    if (auto* profiled = resultIn<ProfilePart>(event))
      for (PcSample& sample : profiled->part.samples)
        sample.stalls.push_back({"long_scoreboard_not_issued", 1000});
  EXPECT_EQ(profileSummary(samples::folded(run), CaseKey{0, 0}), before);
}

TEST(CaseFacts, RefusedCountersAreNoticedWithTheRemedy) {
  const Report report = samples::folded(samples::refusedRun());
  const auto notice = profileNotice(report.target, &report, CaseKey{0, 0});
  ASSERT_TRUE(notice);
  EXPECT_THAT(notice->title, HasSubstr("cannot be read"));
  EXPECT_THAT(notice->text, HasSubstr("NVreg_RestrictProfilingToAdminUsers"));
  EXPECT_THAT(notice->text, HasSubstr("work all the same"));
  EXPECT_FALSE(profileNotice(Target{}, nullptr, {}));
}

TEST(CaseFacts, AFootprintIsOfTheChosenLaunchElseOfTheCompiledForm) {
  const Report report = samples::folded(samples::profiledRun());
  const Table launches = std::get<Table>(findFigure("launches")->make(report, CaseKey{0, 0}));
  ASSERT_EQ(launches.rows.size(), 2U);
  const auto ours = footprintOf(report, CaseKey{0, 0}, launches.rows[0].id);
  const auto theirs = footprintOf(report, CaseKey{0, 0}, launches.rows[1].id);
  ASSERT_TRUE(ours && theirs);
  EXPECT_NE(ours->name, theirs->name);
  EXPECT_EQ(footprintOf(report, CaseKey{0, 0}, ""), ours) << "the candidate's longest";
  EXPECT_EQ(ours->dtype, "f32");
  const auto compiled = footprintOf(samples::folded(samples::staticRun()), {}, "");
  ASSERT_TRUE(compiled);
  EXPECT_GT(compiled->registers, 0);
  EXPECT_FALSE(footprintOf(Report{}, {}, ""));
}

}  // namespace
}  // namespace wb
