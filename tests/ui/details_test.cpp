// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/cases/details.h"

#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

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
  DetailsView view;
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

TEST_F(DetailsTest, TheSelectedCaseIsShownInFullAndEnterOpensIt) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const RunFigures& figures = run();
  parts().results->cases().select("0/0");
  EXPECT_EQ(parts().details->details(), *detailsOf(*figures.report, "0/0"));
  EXPECT_NE(parts().output->currentWidget(), parts().details);
  QTest::keyClick(&parts().results->cases().view(), Qt::Key_Return);
  EXPECT_EQ(parts().output->currentWidget(), parts().details);
  for (const auto& [title, text] : parts().details->details().facts)
    EXPECT_TRUE(parts().details->text().toPlainText().contains(QString::fromStdString(title))) << title;
}

TEST_F(DetailsTest, AnotherRunBeginsWithoutThem) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().results->cases().select("0/0");
  press(Qt::Key_F5);
  EXPECT_EQ(parts().details->details(), Details{});
  EXPECT_TRUE(waitFor([this] { return !window().controller().running(); }));
}

}  // namespace
}  // namespace wb
