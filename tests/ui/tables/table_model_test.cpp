// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>
#include <cmath>
#include <random>

namespace wb {
namespace {

std::shared_ptr<Table> table(int rows, int from = 0) {
  auto made = std::make_shared<Table>();
  made->columns = {
      {.key = "name", .title = "Name"},
      {.key = "time", .title = "Time", .meaning = "of a call", .kind = ColumnKind::number, .unit = "s"}};
  for (int i = from; i < from + rows; ++i) {
    Cell name{"case " + std::to_string(i), NAN, Tone::neutral, ""};
    Cell time{std::to_string(i * 7 % 10), double(i * 7 % 10), i % 2 ? Tone::good : Tone::bad, "detail"};
    made->rows.push_back({"0/" + std::to_string(i), {name, time}});
  }
  return made;
}

QStringList column(const TableModel& model, int which) {
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row) texts.push_back(model.index(row, which).data().toString());
  return texts;
}

class TableModelTest : public testing::Test {
 protected:
  TableModel model_;
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(TableModelTest, ShowsTextToneDetailAndHeaders) {
  model_.setTable(table(3));
  EXPECT_EQ(model_.rowCount(), 3);
  EXPECT_EQ(model_.rowCount(model_.index(0, 0)), 0);
  EXPECT_EQ(model_.index(1, 0).data().toString(), "case 1");
  EXPECT_EQ(model_.index(1, 1).data(TableModel::toneRole).toInt(), int(Tone::good));
  EXPECT_EQ(model_.index(1, 1).data(Qt::ToolTipRole).toString(), "detail");
  EXPECT_EQ(model_.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), "Time");
  EXPECT_EQ(model_.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), "of a call (s)");
  EXPECT_EQ(model_.idAt(2), "0/2");
  EXPECT_EQ(model_.idAt(3), "");
}

TEST_F(TableModelTest, SortsNumbersByValueAndPutsMissingOnesLast) {
  auto made = table(4);
  made->rows[1].cells[1] = Cell{};  // no number
  model_.setTable(made);
  model_.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(column(model_, 1), (QStringList{"0", "1", "4", ""}));
  model_.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(column(model_, 1), (QStringList{"4", "1", "0", ""}));
}

TEST_F(TableModelTest, FilterNeedsEveryWordInSomeCell) {
  model_.setTable(table(30));
  model_.setFilter(QStringLiteral("CASE 12"));
  EXPECT_EQ(column(model_, 0), (QStringList{"case 12"}));
  model_.setFilter(QStringLiteral("nothing of this"));
  EXPECT_EQ(model_.rowCount(), 0);
  model_.setFilter({});
  EXPECT_EQ(model_.rowCount(), 30);
}

TEST_F(TableModelTest, SelectionFollowsItsRowThroughSortFilterAndNewRows) {
  model_.setTable(table(20));
  const QPersistentModelIndex selected = model_.index(5, 0);
  model_.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(model_.idAt(selected.row()), "0/5");
  model_.setFilter(QStringLiteral("5"));
  EXPECT_EQ(model_.idAt(selected.row()), "0/5");
  model_.setTable(table(60));
  EXPECT_EQ(model_.idAt(selected.row()), "0/5");
  model_.setFilter(QStringLiteral("case 7"));
  EXPECT_FALSE(selected.isValid());
}

TEST_F(TableModelTest, AnotherRunReplacesRows) {
  model_.setTable(table(20));
  model_.sort(1, Qt::AscendingOrder);
  model_.setTable(table(8, 100));
  EXPECT_EQ(model_.rowCount(), 8);
  EXPECT_EQ(model_.rowOf("0/3"), -1);
  EXPECT_GE(model_.rowOf("0/103"), 0);
  model_.setTable(table(0));
  EXPECT_EQ(model_.rowCount(), 0);
}

TEST_F(TableModelTest, OtherColumnsResetIt) {
  model_.setTable(table(5));
  model_.sort(1, Qt::AscendingOrder);
  auto other = std::make_shared<Table>();
  other->columns = {{.key = "only", .title = "Only"}};
  other->rows = {{"x", {Cell{"b", NAN, Tone::neutral, ""}}}};
  model_.setTable(other);
  EXPECT_EQ(model_.columnCount(), 1);
  EXPECT_EQ(model_.rowCount(), 1);
}

TEST_F(TableModelTest, PartsOfRowsAreHiddenOnDemand) {
  auto calls = table(3);
  calls->rows[1].depth = 1;
  model_.setTable(calls);
  EXPECT_TRUE(model_.hasParts());
  EXPECT_EQ(model_.rowCount(), 3);
  model_.setShowsParts(false);
  EXPECT_EQ(column(model_, 0), (QStringList{"case 0", "case 2"}));
  EXPECT_EQ(model_.counts().all, 2);
  model_.setShowsParts(true);
  EXPECT_EQ(model_.counts().all, 3);
}

std::shared_ptr<Table> tableWithSets(int rows) {
  auto made = table(rows);
  made->sets = {{"Third", "each third row", true}, {"Even", "each second row"}};
  for (int i = 0; i < rows; ++i)
    made->rows[size_t(i)].sets = std::uint32_t(i % 3 == 2) | std::uint32_t(i % 2 == 0) << 1U;
  return made;
}

TEST_F(TableModelTest, RowsOfALeadingSetComeFirstWhileNobodySorts) {
  model_.setTable(tableWithSets(6));
  EXPECT_EQ(column(model_, 0), (QStringList{"case 2", "case 5", "case 0", "case 1", "case 3", "case 4"}));
  model_.sort(0, Qt::AscendingOrder);
  EXPECT_EQ(column(model_, 0), (QStringList{"case 0", "case 1", "case 2", "case 3", "case 4", "case 5"}));
}

TEST_F(TableModelTest, ASetCanBeShownAloneAndEachIsCounted) {
  model_.setTable(tableWithSets(6));
  EXPECT_EQ(model_.counts(), (RowCounts{6, {2, 3}}));
  model_.setRowSet(1);
  EXPECT_EQ(column(model_, 0), (QStringList{"case 2", "case 0", "case 4"}));
  model_.setFilter(QStringLiteral("8"));
  EXPECT_EQ(column(model_, 0), (QStringList{"case 4"}));
  EXPECT_EQ(model_.counts(), (RowCounts{6, {2, 3}}));
  model_.setRowSet(-1);
  model_.setFilter({});
  EXPECT_EQ(model_.rowCount(), 6);
}

TEST_F(TableModelTest, ALargeTableIsArrangedOnAnotherThreadToTheSameRows) {
  constexpr int rows = int(TableModel::largeTable) + 1000;
  const std::shared_ptr<Table> large = tableWithSets(rows);
  model_.setTable(tableWithSets(10));
  const QPersistentModelIndex kept = model_.index(model_.rowOf("0/7"), 0);
  model_.setTable(large);
  EXPECT_TRUE(model_.isArranging());
  EXPECT_EQ(model_.rowCount(), 10);  // what was there stays meanwhile
  model_.setFilter(QStringLiteral("12"));
  model_.sort(1, Qt::DescendingOrder);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model_.isArranging(); }, 20000));
  const std::vector<int> expected = RowFinder(large).rows({.words = {"12"}, .column = 1, .descending = true});
  ASSERT_EQ(model_.rowCount(), int(expected.size()));
  for (int row = 0; row < model_.rowCount(); ++row) EXPECT_EQ(model_.tableRow(row), expected[size_t(row)]);
  EXPECT_FALSE(kept.isValid());  // it was filtered out
  model_.setFilter({});
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model_.isArranging(); }, 20000));
  EXPECT_EQ(model_.rowCount(), rows);
  model_.setTable(table(3));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !model_.isArranging(); }, 20000));
  EXPECT_EQ(model_.rowCount(), 3);
}

// Whatever the order of steps, the rows are those that a plain sort and filter of the last table gives.
TEST_F(TableModelTest, RandomStepsAgreeWithAFreshModel) {
  std::mt19937 random(7);
  QString filter;
  int sortColumn = -1;
  Qt::SortOrder order = Qt::AscendingOrder;
  std::shared_ptr<Table> now = table(10);
  model_.setTable(now);
  for (int step = 0; step < 200; ++step) {
    switch (random() % 3) {
      case 0:
        now = table(int(random() % 40), int(random() % 5));
        model_.setTable(now);
        break;
      case 1:
        filter = QString::number(random() % 12);
        if (random() % 3 == 0) filter.clear();
        model_.setFilter(filter);
        break;
      default:
        sortColumn = int(random() % 2);
        order = random() % 2 ? Qt::AscendingOrder : Qt::DescendingOrder;
        model_.sort(sortColumn, order);
    }
    TableModel fresh;
    fresh.setTable(now);
    fresh.setFilter(filter);
    if (sortColumn >= 0) fresh.sort(sortColumn, order);
    ASSERT_EQ(column(model_, 0), column(fresh, 0)) << "step " << step;
  }
}

}  // namespace
}  // namespace wb
