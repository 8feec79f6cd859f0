// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as people use them: columns that fit, copying, searching, sorting and choosing by keyboard.
#include "ui/tables/table_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/tables/whole_cells.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/settings/settings.h"
#include "ui/tables/chip_row.h"
#include "ui/tables/keep_layouts.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_menu.h"
#include "ui/tables/table_model.h"

namespace wb {
namespace {

Cell numberCell(double value) {
  Cell cell{std::to_string(value)};
  cell.sort = value;
  return cell;
}

std::shared_ptr<Table> someTable(int rows) {
  auto made = std::make_shared<Table>();
  made->id = "some";
  made->columns = {
      {.key = "name", .title = "Name", .kind = ColumnKind::name},
      {.key = "verdict", .title = "Verdict", .kind = ColumnKind::verdict},
      {.key = "number", .title = "Number", .kind = ColumnKind::number},
      {.key = "note", .title = "Note", .kind = ColumnKind::note},
      {.key = "rare", .title = "Rare", .kind = ColumnKind::number, .rank = 7},
  };
  made->sets = {{"Failing", "Rows that fail", true}, {"Slower", "Rows that take longer"}};
  for (int i = 0; i < rows; ++i) {
    const bool fails = i % 4 == 3;
    made->rows.push_back(
        {std::to_string(i),
         {Cell{"row " + std::to_string(i)}, Cell{fails ? "mismatch" : "pass"}, numberCell(i),
          Cell{"a note that goes on and on, so that nobody would look for its end here"}, Cell{}},
         {},
         0,
         fails ? 1U : 0U});
  }
  return made;
}

std::shared_ptr<Table> tableOfPlaces(const std::string& place) {
  auto made = std::make_shared<Table>();
  made->id = "places";
  made->columns = {{.key = "place", .title = "Place", .kind = ColumnKind::place},
                   {.key = "message", .title = "Message", .kind = ColumnKind::name}};
  made->rows.push_back({"0", {Cell{place}, Cell{"too slow"}}, {}, 0, 0});
  return made;
}

class TablePanelTest : public testing::Test {
 protected:
  void SetUp() override {
    panel_.resize(700, 400);
    panel_.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel_));
    panel_.activateWindow();
  }
  void show(std::shared_ptr<Table> table) {
    panel_.setTable(std::move(table));
    ASSERT_TRUE(QTest::qWaitFor([this] { return panel_.columns().isMeasured(); }));
    panel_.view().setFocus();
  }
  QStringList firstColumn() {
    QStringList texts;
    for (int row = 0; row < panel_.model().rowCount(); ++row)
      texts << panel_.model().index(row, 0).data().toString();
    return texts;
  }
  void key(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
    QTest::keyClick(&panel_.view(), key, with);
  }
  void goTo(int row, int column) { panel_.view().setCurrentIndex(panel_.model().index(row, column)); }
  static QString clipboard() { return QApplication::clipboard()->text(); }

  TablePanel panel_{QStringLiteral("Some")};
};

TEST_F(TablePanelTest, PlacesHaveAColumnWhereThereAreAny) {
  panel_.setTable(tableOfPlaces(""));
  EXPECT_TRUE(panel_.view().isColumnHidden(0));
  panel_.setTable(tableOfPlaces("relu.cpp:3"));
  EXPECT_FALSE(panel_.view().isColumnHidden(0));
}

TEST_F(TablePanelTest, ColumnsGrowWithWhatComesLater) {
  show(someTable(3));
  const int before = panel_.view().columnWidth(1);
  std::shared_ptr<Table> later = someTable(3);
  later->rows[2].cells[1].text = "a verdict of many words";
  show(later);
  const int wanted = QFontMetrics(panel_.view().font()).horizontalAdvance("a verdict of many words");
  EXPECT_GT(panel_.view().columnWidth(1), before);
  EXPECT_GE(panel_.view().columnWidth(1), wanted + 20);
}

TEST_F(TablePanelTest, TheLastOfManyRowsIsMeasuredToo) {
  std::shared_ptr<Table> many = someTable(3000);
  many->rows[2999].cells[1].text = "a verdict of many words";
  show(many);
  EXPECT_GT(panel_.view().columnWidth(1),
            QFontMetrics(panel_.view().font()).horizontalAdvance("a verdict of many words"));
}

TEST_F(TablePanelTest, ProseGivesWayAndTakesWhatIsLeft) {
  show(someTable(4));
  const QHeaderView& header = *panel_.view().horizontalHeader();
  EXPECT_EQ(header.length(), panel_.view().viewport()->width());
  const int note = panel_.view().columnWidth(3), verdict = panel_.view().columnWidth(1);
  panel_.resize(480, 400);
  EXPECT_LT(panel_.view().columnWidth(3), note);
  EXPECT_EQ(panel_.view().columnWidth(1), verdict);
  EXPECT_EQ(header.length(), panel_.view().viewport()->width());
}

TEST_F(TablePanelTest, ANameThatHasTooLittleRoomGoesOnInASecondLine) {
  std::shared_ptr<Table> table = someTable(6);
  table->rows[1].cells[0].text = "Sectors of 32 bytes per request of a global load";
  table->rows[2].cells[0].text = "average_data_bytes_per_sector_mem_global_op_ld";
  show(table);
  const int wide = panel_.view().columnWidth(0);
  test::expectNamesWhole(panel_, 0);
  panel_.resize(560, 400);
  const int narrow = panel_.view().columnWidth(0);
  EXPECT_LT(narrow, wide);
  test::expectNamesWhole(panel_, 0);
  // It is painted: below the middle of the row stands as much as above it.
  const QRect cell = panel_.view().visualRect(panel_.model().index(2, 0));
  const QImage row = panel_.view().viewport()->grab(cell.adjusted(4, 2, -4, -2)).toImage();
  int above = 0, below = 0;
  for (int y = 0; y < row.height(); ++y)
    for (int x = 0; x < row.width(); ++x)
      if (row.pixel(x, y) != row.pixel(0, 0)) (y < row.height() / 2 ? above : below)++;
  EXPECT_GT(above, 40);
  EXPECT_GT(below, 40);
  panel_.setDense(true);  // there is no room for two lines
  panel_.resize(559, 400);
  EXPECT_GT(panel_.view().columnWidth(0), narrow);
}

TEST_F(TablePanelTest, ARareColumnIsShownOnceItHoldsSomething) {
  show(someTable(4));
  EXPECT_FALSE(panel_.columns().isShown(4));
  std::shared_ptr<Table> filled = someTable(4);
  filled->rows[1].cells[4] = numberCell(1);
  show(filled);
  EXPECT_TRUE(panel_.columns().isShown(4));
}

TEST_F(TablePanelTest, CopyTakesTheSelectedRowsOfTheShownColumns) {
  show(someTable(8));
  panel_.columns().setShown(3, false);
  QApplication::clipboard()->setText("before");
  key(Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(clipboard(), "before");  // nothing is selected
  goTo(0, 0);
  key(Qt::Key_Down, Qt::ShiftModifier);
  key(Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(clipboard(), "row 3\tmismatch\t3.000000\nrow 7\tmismatch\t7.000000\n");
  key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(clipboard().startsWith("Name\tVerdict\tNumber\nrow 3\t")) << clipboard().toStdString();
}

TEST_F(TablePanelTest, FilterOpensByKeyAndGoesAwayByEscape) {
  show(someTable(8));
  EXPECT_FALSE(panel_.filter().isVisible());
  key(Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(panel_.filter().isVisible());
  QTest::keyClicks(&panel_.filter(), "row 3");
  EXPECT_EQ(firstColumn(), QStringList{"row 3"});
  QTest::keyClick(&panel_.filter(), Qt::Key_Down);
  EXPECT_EQ(panel_.selectedId(), "3");
  key(Qt::Key_F, Qt::ControlModifier);
  QTest::keyClick(&panel_.filter(), Qt::Key_Escape);
  EXPECT_FALSE(panel_.filter().isVisible());
  EXPECT_EQ(panel_.model().rowCount(), 8);
}

TEST_F(TablePanelTest, SSortsByTheColumnOfTheKeyboardUpDownAndNotAtAll) {
  show(someTable(5));
  EXPECT_EQ(firstColumn().front(), "row 3");  // what fails comes first
  goTo(0, 0);
  key(Qt::Key_Right);
  key(Qt::Key_Right);
  EXPECT_EQ(panel_.view().currentIndex().column(), 2);
  key(Qt::Key_S);
  EXPECT_EQ(firstColumn(), (QStringList{"row 0", "row 1", "row 2", "row 3", "row 4"}));
  key(Qt::Key_S);
  EXPECT_EQ(firstColumn().front(), "row 4");
  EXPECT_EQ(panel_.selectedId(), "3");  // the selection stays with its row
  key(Qt::Key_S);
  EXPECT_EQ(firstColumn().front(), "row 3");
}

TEST_F(TablePanelTest, ChipsChooseRowsByKeyboardAlone) {
  show(someTable(8));
  ChipRow& chips = panel_.chips();
  EXPECT_EQ(chips.chip(-1)->text(), "All 8");
  EXPECT_EQ(chips.chip(0)->text(), "Failing 2");
  EXPECT_FALSE(chips.chip(1)->isEnabled());  // no row is slower
  chips.chip(-1)->setFocus();
  QTest::keyClick(chips.chip(-1), Qt::Key_Right);
  ASSERT_TRUE(chips.chip(0)->hasFocus());
  QTest::keyClick(chips.chip(0), Qt::Key_Space);
  EXPECT_EQ(firstColumn(), (QStringList{"row 3", "row 7"}));
  QTest::keyClick(chips.chip(0), Qt::Key_Left);
  QTest::keyClick(chips.chip(-1), Qt::Key_Space);
  EXPECT_EQ(panel_.model().rowCount(), 8);
}

TEST_F(TablePanelTest, TheRowAndTheHeaderHaveMenus) {
  show(someTable(8));
  goTo(1, 0);
  QMenu row;
  fillRowMenu(row, panel_);
  QStringList titles;
  for (const QAction* action : row.actions()) titles << action->text().remove('&');
  EXPECT_TRUE(titles.contains("Copy"));
  EXPECT_TRUE(titles.contains("Columns"));
  QSignalSpy activated(&panel_, &TablePanel::activated);
  row.actions().front()->trigger();
  ASSERT_EQ(activated.size(), 1);
  EXPECT_EQ(activated[0][0].toString(), "7");
  QMenu header;
  fillHeaderMenu(header, panel_, 2);
  for (QAction* action : header.actions())
    if (action->text().startsWith("&Hide")) action->trigger();
  EXPECT_FALSE(panel_.columns().isShown(2));
  EXPECT_TRUE(panel_.columns().isShown(1));
}

TEST_F(TablePanelTest, WhatWasChosenOfColumnsIsRemembered) {
  QTemporaryDir folder;
  Settings settings(folder.path().toStdString());
  keepLayouts(panel_, settings);
  show(someTable(8));
  panel_.columns().setShown(1, false);
  panel_.view().horizontalHeader()->moveSection(2, 0);
  panel_.view().setColumnWidth(0, 222);
  TablePanel other(QStringLiteral("Some"));
  keepLayouts(other, settings);
  other.setTable(someTable(8));
  EXPECT_EQ(other.columns().shownColumns(), (std::vector<int>{2, 0, 3}));
  EXPECT_EQ(other.view().columnWidth(0), 222);
  other.columns().reset();
  EXPECT_EQ(other.columns().shownColumns(), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(settings.text("tables/Some"), "");
}

TEST_F(TablePanelTest, NonsenseInTheSettingsChangesNothing) {
  panel_.columns().setLayout(QStringLiteral("-Verdict\t:\t-\tNobody:12\tNote:-5\tName:99999999999"));
  show(someTable(3));
  EXPECT_FALSE(panel_.columns().isShown(1));
  EXPECT_TRUE(panel_.columns().isShown(0));
  EXPECT_LT(panel_.view().columnWidth(0), 4100);
}

TEST_F(TablePanelTest, TheRowOfTheKeyboardIsMarked) {
  show(someTable(8));
  goTo(2, 0);
  panel_.view().clearSelection();
  const QImage with = panel_.view().grab().toImage();
  panel_.view().clearFocus();
  EXPECT_NE(panel_.view().grab().toImage(), with);
}

class TablesInTheWindow : public test::WindowTest {};

// The view says things even while it goes, and then is no view any more.
TEST(TablePanel, TheColumnsGoBeforeTheViewThatTheyWatch) {
  auto panel = std::make_unique<TablePanel>(QStringLiteral("Some"));
  panel->setTable(someTable(3));
  const QPointer<TableColumns> columns(&panel->columns());
  bool isSaid = false;
  QObject::connect(&panel->view(), &QObject::destroyed, [&] {
    isSaid = true;
    EXPECT_TRUE(columns.isNull());
  });
  panel.reset();
  EXPECT_TRUE(isSaid);
}

TEST_F(TablesInTheWindow, CtrlCCopiesFromTheTableThatHasTheFocusAndElseFromTheEditor) {
  open();
  Document* document = edit("relu.cpp", test::fakeKernel());
  run();
  document->setFocus();
  press(Qt::Key_A, Qt::ControlModifier);
  press(Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), document->text());
  TablePanel& cases = parts().results->cases();
  cases.select("0/0");
  cases.view().setFocus();
  ASSERT_TRUE(cases.view().hasFocus()) << QApplication::focusWidget()->objectName().toStdString();
  ASSERT_TRUE(cases.hasSelection());
  press(Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QApplication::clipboard()->text().contains('\t'))
      << QApplication::clipboard()->text().toStdString();
  action("edit.copy")->trigger();  // the same by the menu
  EXPECT_TRUE(QApplication::clipboard()->text().contains('\t'));
}

}  // namespace
}  // namespace wb
