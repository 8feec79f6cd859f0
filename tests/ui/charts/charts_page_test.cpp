// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a run in a window: what leads to where.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>
#include <QToolButton>

#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "tests/ui/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/charts_page.h"
#include "ui/editing/document.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/figure_panel.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_bar.h"
#include "ui/run/suite_box.h"
#include "ui/tables/table_panel.h"
#include "ui/window/command_palette.h"

namespace wb {
namespace {

class ChartsPageTest : public test::WindowTest {
 protected:
  const RunFigures& openAndRun() {
    open();
    edit("relu.cpp", test::fakeKernel());
    const RunFigures& figures = run();
    parts().results->pages().setCurrentWidget(&page());
    window().grab();
    return figures;
  }
  [[nodiscard]] ChartsPage& page() { return parts().results->charts(); }
};

TEST_F(ChartsPageTest, EveryChartShowsTheRunsFigure) {
  const RunFigures& figures = openAndRun();
  EXPECT_EQ(page().tabs().count(), 4);
  for (const char* id : {"speedup", "speedup-operators", "speedup-size", "samples"})
    EXPECT_EQ(page().chart(id).figure(), *figures.figures.find(id)) << id;
}

TEST_F(ChartsPageTest, BeforeTheFirstRunEveryChartSaysWhatIsToBeDone) {
  open();
  edit("relu.cpp", test::fakeKernel());
  parts().results->pages().setCurrentWidget(&page());
  for (int tab = 0; tab < page().tabs().count(); ++tab) {
    page().tabs().setCurrentIndex(tab);
    QStringList said;
    for (const QLabel* label : page().tabs().currentWidget()->findChildren<QLabel*>())
      if (label->isVisible() && !label->text().isEmpty()) said << label->text();
    EXPECT_EQ(said, QStringList{"Nothing to draw yet. Run a kernel with F5."});
  }
}

TEST_F(ChartsPageTest, ABarLeadsToItsCaseByClickAndByEnter) {
  const RunFigures& figures = openAndRun();
  const auto chart = figures.figures.get<BarChart>("speedup");
  const int bar = int(chart->bars.size()) / 2;
  ChartView& view = page().chart("speedup");
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.markRect(bar).center());
  EXPECT_EQ(parts().results->cases().selectedId(), chart->bars[size_t(bar)].rowId);
  EXPECT_EQ(parts().results->pages().currentWidget(), &page()) << "a click chooses and goes nowhere";
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_Up);
  EXPECT_EQ(parts().results->cases().selectedId(), chart->bars[size_t(bar) - 1].rowId);
  QTest::keyClick(&view, Qt::Key_Return);
  EXPECT_EQ(parts().results->pages().currentIndex(), 0);
  EXPECT_TRUE(parts().results->cases().isVisible());
  EXPECT_EQ(parts().results->cases().selectedId(), chart->bars[size_t(bar) - 1].rowId);
}

TEST_F(ChartsPageTest, TheSamplesAreThoseOfTheSelectedCase) {
  const RunFigures& figures = openAndRun();
  const auto bars = figures.figures.get<BarChart>("speedup");
  parts().results->cases().select(bars->bars[1].rowId);
  const auto& shown = std::get<PlaneChart>(page().chart("samples").figure());
  ASSERT_FALSE(shown.points.empty());
  EXPECT_EQ(shown.points[0].rowId, bars->bars[1].rowId);
  EXPECT_EQ(page().chart("speedup").highlighted(), 1);
}

TEST_F(ChartsPageTest, ASweepRunsThePresentKernelOverItsSizes) {
  open();
  edit("relu.cpp", test::fakeKernel());
  ASSERT_TRUE(waitFor([this] { return parts().bar->suites().findText("sweep") >= 0; }));
  run();
  parts().results->pages().setCurrentWidget(&page());
  page().tabs().setCurrentIndex(2);
  bool ended = false;
  const auto connection =
      QObject::connect(&window().controller(), &RunController::finished, [&ended] { ended = true; });
  page().sweepButton().click();
  ASSERT_TRUE(waitFor([&] { return ended; }, 60000));
  QObject::disconnect(connection);
  EXPECT_EQ(parts().bar->suites().chosen(), "sweep");
  EXPECT_EQ(window().controller().figures()->report->suite, "sweep");
}

TEST_F(ChartsPageTest, CopyAndSaveAreCommandsOfTheWindowAndTheMenu) {
  openAndRun();
  for (const char* id : {"chart.copy", "chart.savePng", "chart.saveSvg", "chart.showAll"})
    ASSERT_NE(action(id), nullptr) << id;
  ChartView& view = page().chart("speedup");
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_Plus);
  EXPECT_TRUE(view.isZoomed());
  action("chart.showAll")->trigger();
  EXPECT_FALSE(view.isZoomed());
  QContextMenuEvent event(QContextMenuEvent::Keyboard, {20, 20}, view.mapToGlobal(QPoint(20, 20)));
  QApplication::sendEvent(view.viewport(), &event);
  auto* menu = view.findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  EXPECT_EQ(menu->actions().size(), 4);
  menu->close();
}

class ProfileChartsTest : public test::ProfileWindow {
 protected:
  [[nodiscard]] ProfileView& view() { return parts().results->profile(); }
};

TEST_F(ProfileChartsTest, AStackOfALineLeadsToTheLine) {
  Document* document = openRecording("h100_bank_conflict");
  profile();
  view().tabs().setCurrentIndex(1);
  window().grab();
  ChartView& chart = *view().panel("stalls").chart();
  const auto& stack = std::get<StackChart>(chart.figure());
  ASSERT_GT(stack.rows.size(), 1U);
  document->editor().goTo(1, 1);
  int mark = 0;
  for (const double share : stack.rows[0].shares) mark += share > 0 ? 1 : 0;  // the first of the second row
  QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.markRect(mark).center());
  EXPECT_EQ(document->editor().pointedLine(), stack.rows[1].place.line);
  EXPECT_EQ(document->editor().currentLine(), 1) << "the caret stays";
  chart.setFocus();
  QTest::keyClick(&chart, Qt::Key_Return);
  EXPECT_EQ(document->editor().currentLine(), stack.rows[1].place.line);
}

TEST_F(ProfileChartsTest, APinnedRunPutsAnArrowIntoTheRoofline) {
  openRecording("made_softmax");
  profile();
  window().comparing().pin();
  profile();
  ASSERT_TRUE(waitFor([this] { return !view().isRefining(); }));
  const auto& roofline = std::get<PlaneChart>(view().panel("roofline").chart()->figure());
  EXPECT_EQ(roofline.arrows.size(), 1U);
}

}  // namespace
}  // namespace wb
