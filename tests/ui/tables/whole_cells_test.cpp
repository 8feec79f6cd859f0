// SPDX-License-Identifier: GPL-3.0-or-later
// What must never be cut, in every table of the window and at every width.
#include <QFontMetrics>
#include <QHeaderView>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

#include "tests/ui/profile/profile_window.h"
#include "tests/ui/tables/whole_cells.h"
#include "ui/profile/profile_view.h"
#include "ui/results/results_view.h"
#include "ui/style/fonts.h"
#include "ui/tables/cell_delegate.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb::test {

void expectNamesWhole(const TablePanel& panel, int column) {
  const QFontMetrics usual(panel.view().font());
  const TextMeasure small(CellDelegate::smallFont(panel.view().font()));
  const int room = panel.view().columnWidth(column) - 16;
  for (const Table::Row& row : panel.model().table().rows) {
    const std::string& name = row.cells[size_t(column)].text;
    if (usual.horizontalAdvance(QString::fromStdString(name)) > room)
      EXPECT_LE(small.halve(name).width, room) << panel.model().table().id << ": " << name;
  }
}

void expectWhole(TablePanel& panel) {
  ASSERT_TRUE(QTest::qWaitFor([&] { return panel.columns().isMeasured(); }));
  const Table& table = panel.model().table();
  for (const int column : panel.columns().shownColumns()) {
    const ColumnKind kind = table.columns[size_t(column)].kind;
    // Prose is cut with a sign, groups go on in the rows below, and sources are read in the editor.
    const bool mayBeCut = kind == ColumnKind::note || kind == ColumnKind::prose || kind == ColumnKind::text ||
                          kind == ColumnKind::group ||
                          (kind == ColumnKind::code && table.columns[size_t(column)].rank > 0);
    if (mayBeCut) continue;
    if (kind == ColumnKind::name) {
      expectNamesWhole(panel, column);
      continue;
    }
    const QFontMetrics metrics(kind == ColumnKind::code ? codeFont(12) : panel.view().font());
    for (const Table::Row& row : table.rows)
      EXPECT_LE(metrics.horizontalAdvance(QString::fromStdString(row.cells[size_t(column)].text)) + 16,
                panel.view().columnWidth(column))
          << table.id << ": " << row.cells[size_t(column)].text;
  }
}

namespace {

// A real run in a real window, at several widths: every verdict and every interval can be read.
class WholeCells : public ProfileWindow {};

TEST_F(WholeCells, NameVerdictIntervalAndPlaceAreNeverCut) {
  open();
  edit("relu.cpp", fakeKernel());
  run();
  // What tells most is in view without scrolling, too.
  const auto expectInView = [](const TablePanel& panel, int windowWidth) {
    const QHeaderView& header = *panel.view().horizontalHeader();
    const Table& table = panel.model().table();
    for (const int column : panel.columns().shownColumns()) {
      const Column& one = table.columns[size_t(column)];
      const bool tellsMost =
          one.kind == ColumnKind::verdict || one.kind == ColumnKind::place || (one.lead > 0 && one.rank <= 3);
      if (!tellsMost) continue;
      EXPECT_GE(header.sectionViewportPosition(column), 0) << windowWidth << ": " << one.title;
      EXPECT_LE(header.sectionViewportPosition(column) + header.sectionSize(column),
                panel.view().viewport()->width())
          << windowWidth << ": " << one.title;
    }
  };
  for (const QSize size : {QSize(1600, 1000), QSize(1440, 900), QSize(1280, 800), QSize(1024, 700)}) {
    window().resize(size);
    const auto isSettled = [&] {
      const QWidget* results = parts().results;
      return window().width() == size.width() && results->width() * 1000 / size.width() <= 525;
    };
    EXPECT_TRUE(waitFor(isSettled)) << parts().results->width() << " of " << size.width();
    for (TablePanel* panel : {&parts().results->cases(), parts().problems}) {
      expectWhole(*panel);
      expectInView(*panel, size.width());
    }
  }
}

TEST_F(WholeCells, OfAProfileNothingIsCutEither) {
  openRecording("made_softmax");
  profile();
  ProfileView& view = parts().results->profile();
  for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
    window().resize(size);
    EXPECT_TRUE(waitFor([&] { return window().size() == size; }));
    const QTabBar& bar = *view.tabs().tabBar();
    EXPECT_TRUE(waitFor([&] { return bar.tabRect(bar.count() - 1).right() < bar.width(); }))
        << "every tab is seen: the last one ends at " << bar.tabRect(bar.count() - 1).right() << " of "
        << bar.width();
    for (int tab = 0; tab < view.tabs().count(); ++tab) {
      view.tabs().setCurrentIndex(tab);
      for (TablePanel* panel : view.tabs().currentWidget()->findChildren<TablePanel*>()) expectWhole(*panel);
    }
  }
}

}  // namespace
}  // namespace wb::test
