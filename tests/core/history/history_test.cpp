// SPDX-License-Identifier: Apache-2.0
#include "core/history/history.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "core/base/files/file.h"
#include "core/jobs/saved_report.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

class History : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "wb-history-XXXXXX").string();
    ASSERT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = fs::path(made) / "history";
  }
  void TearDown() override { fs::remove_all(folder_.parent_path()); }
  KeptRun keep(const Report& report, HistoryLimits limits = {}) {
    auto kept = keepRun(folder_, report, now_ += 1000, limits);
    EXPECT_TRUE(kept) << describe(kept.error());
    return kept ? *kept : KeptRun();
  }
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const KeptRun& run : keptRuns(folder_)) all.push_back(run.id);
    return all;
  }
  fs::path folder_;
  std::int64_t now_ = 1'700'000'000'000;
};

TEST_F(History, ARunComesBackAsItWas) {
  const Report report = samples::allPass();
  const KeptRun run = keep(report);
  const auto runs = keptRuns(folder_);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0], run);
  EXPECT_EQ(run.passed, run.total);
  EXPECT_GT(run.speedup, 1);
  EXPECT_EQ(std::size_t(run.bytes), fs::file_size(runFile(folder_, run.id)));
  const auto read = readSavedReport(runFile(folder_, run.id));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(**read, report);
}

TEST_F(History, TheOldestGoFirstByNumberAndBySize) {
  const KeptRun first = keep(samples::allPass()), second = keep(samples::allPass());
  const KeptRun third = keep(samples::allPass(), {.runs = 2});
  EXPECT_EQ(ids(), (std::vector{third.id, second.id}));
  EXPECT_FALSE(fs::exists(runFile(folder_, first.id)));
  const KeptRun fourth = keep(samples::allPass(), {.runs = 9, .bytes = third.bytes + 1});
  EXPECT_EQ(ids(), (std::vector{fourth.id}));
  const KeptRun fifth = keep(samples::allPass(), {.runs = 9, .bytes = 1});
  EXPECT_EQ(ids(), (std::vector{fifth.id})) << "the newest stays, however large";
}

TEST_F(History, PinnedRunsStay) {
  const KeptRun pinned = keep(samples::allPass());
  ASSERT_TRUE(pinRun(folder_, pinned.id, true));
  keep(samples::crash());
  const KeptRun last = keep(samples::allPass(), {.runs = 1});
  EXPECT_EQ(ids(), (std::vector{last.id, pinned.id}));
  ASSERT_TRUE(pinRun(folder_, pinned.id, false));
  const KeptRun next = keep(samples::allPass(), {.runs = 1});
  EXPECT_EQ(ids(), (std::vector{next.id}));
  EXPECT_FALSE(pinRun(folder_, "absent", true));
}

TEST_F(History, WhatIsNoRunIsPassedOver) {
  const KeptRun run = keep(samples::mixedFailures());
  ASSERT_TRUE(writeFileAtomically(folder_ / "a.run", "{"));
  ASSERT_TRUE(writeFileAtomically(folder_ / "b.run", "[3]"));
  ASSERT_TRUE(writeFileAtomically(folder_ / "c.run", R"({"when": "noon"})"));
  ASSERT_TRUE(writeFileAtomically(folder_ / "d.json", "{}"));
  EXPECT_EQ(ids(), (std::vector{run.id}));
  EXPECT_TRUE(keptRuns(folder_ / "absent").empty());
}

TEST_F(History, AFolderThatCannotBeWrittenIsAnErrorAndLeavesNothing) {
  ASSERT_TRUE(writeFileAtomically(folder_, "a file in its place"));
  EXPECT_FALSE(keepRun(folder_, samples::allPass(), now_));
}

TEST_F(History, EveryKindOfReportHasARow) {
  for (const Report& report : {samples::allPass(), samples::mixedFailures(), samples::compileFailure(),
                               samples::cancelledHalfWay(), samples::noWorker(), samples::emptyJob()})
    keep(report);
  const Table table = historyTable(keptRuns(folder_), now_);
  ASSERT_EQ(table.rows.size(), 6u);
  for (const Table::Row& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
  EXPECT_EQ(table.rows[0].id, ids()[0]);
  EXPECT_EQ(table.rows[5].cells[2].text, "6 of 6");
  EXPECT_EQ(table.rows[2].cells[6].text, "cancelled");
  EXPECT_FALSE(historyTable({}, now_).empty.empty());
}

}  // namespace
}  // namespace wb
