// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/cases/details.h"

#include <QAction>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include "editor/kernel_editor.h"
#include "tests/core/model/steps.h"
#include "tests/ui/window_test.h"
#include "ui/details/details_view.h"
#include "ui/editing/document.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

/// A case that threw, with a line of a traceback.
Details detailsOfAThrow() {
  Details details;
  details.title = "relu 5×5 f32";
  details.trace = "  File \"relu.py\", line 7, in relu_kernel_impl\nRuntimeError: no <b>\n";
  return details;
}

class DetailsTest : public test::WindowTest {};

TEST_F(DetailsTest, ALineOfATracebackLeadsToItsPlace) {
  QAction runOnly;
  DetailsView view(runOnly);
  QString file;
  int line = 0;
  QObject::connect(&view, &DetailsView::placeClicked, [&](const QString& f, int l) { file = f, line = l; });
  view.setDetails(detailsOfAThrow());
  EXPECT_TRUE(view.text().toPlainText().contains("RuntimeError: no <b>"));
  view.resize(700, 400);
  view.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
  QTextCursor at = view.text().document()->find("relu.py");
  ASSERT_FALSE(at.isNull());
  const QPoint there = view.text().cursorRect(at).center() - QPoint(4, 0);
  EXPECT_TRUE(view.text().anchorAt(there).startsWith("frame:"))
      << view.text().anchorAt(there).toStdString() << view.text().toHtml().toStdString();
  QTest::mouseClick(view.text().viewport(), Qt::LeftButton, {}, there);
  EXPECT_EQ(file, "relu.py");
  EXPECT_EQ(line, 7);
}

TEST_F(DetailsTest, TheSelectedCaseIsShownInFullBelowItsTable) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const RunFigures& figures = run();
  parts().results->cases().select("0/0");
  EXPECT_EQ(parts().details->details(), *detailsOf(*figures.report, "0/0"));
  EXPECT_TRUE(parts().details->isVisible());
  for (const auto& [title, text] : parts().details->details().facts)
    EXPECT_TRUE(parts().details->text().toPlainText().contains(QString::fromStdString(title))) << title;
}

TEST_F(DetailsTest, EnterGoesThereAndEscapeHidesThemUntilEnterIsPressedAgain) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  TablePanel& cases = parts().results->cases();
  EXPECT_FALSE(parts().details->isVisible()) << "no row was chosen yet";
  window().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
  cases.select("0/0");
  cases.view().setFocus();
  QTest::keyClick(&cases.view(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([this] { return parts().details->text().hasFocus(); }));
  QTest::keyClick(&parts().details->text(), Qt::Key_Escape);
  EXPECT_FALSE(parts().details->isVisible());
  EXPECT_TRUE(waitFor([&] { return cases.view().hasFocus(); }));
  QTest::keyClick(&cases.view(), Qt::Key_Down);
  EXPECT_FALSE(parts().details->isVisible()) << "who hid them sees the table alone";
  QTest::keyClick(&cases.view(), Qt::Key_Return);
  EXPECT_TRUE(parts().details->isVisible());
  parts().details->closer().click();
  EXPECT_FALSE(parts().details->isVisible());
}

TEST_F(DetailsTest, TheChosenRowStaysInViewAndNothingReachesBeyondTheWindow) {
  open();
  edit("relu.cpp", test::fakeKernel("--cases=60"));
  for (const QSize size : {QSize(1024, 700), QSize(1600, 1000)}) {
    window().resize(size);
    run();
    TablePanel& cases = parts().results->cases();
    cases.select("0/2");
    const auto isRowSeen = [&] {
      const QRect row = cases.view().visualRect(cases.view().currentIndex());
      return row.isValid() && cases.view().viewport()->rect().contains(row.center());
    };
    EXPECT_TRUE(waitFor(isRowSeen)) << size.width();
    EXPECT_TRUE(waitFor([this] { return parts().details->height() >= 120; })) << size.width();
    const QPoint corner = parts().details->mapTo(&window(), parts().details->rect().bottomRight());
    EXPECT_LT(corner.x(), size.width());
    EXPECT_LT(corner.y(), size.height());
  }
}

TEST_F(DetailsTest, AnotherRunBeginsWithoutThem) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().results->cases().select("0/0");
  press(Qt::Key_F5);
  EXPECT_EQ(parts().details->details(), Details{});
  EXPECT_TRUE(waitFor([this] { return !window().controller().running(); }));
  EXPECT_FALSE(parts().details->isEmpty()) << "the same row is looked at again when it ended";
}

}  // namespace
}  // namespace wb
