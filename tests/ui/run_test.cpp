// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel is edited and run in a window, with a worker that speaks the real protocol.
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/cards_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/log_view.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

class RunTest : public test::WindowTest {};

TEST_F(RunTest, TheEditedTextRunsAndItsResultsFillEveryView) {
  open();
  Document* document = edit("relu.cpp", "");
  document->editor().setText(test::fakeKernel());  // never saved: what is in the editor runs
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_EQ(figures.report->kernels[0]->source.text, document->text().toStdString());
  EXPECT_EQ(figures.report->suite, "smoke");
  const int cases = figures.counts.total;
  EXPECT_GT(cases, 5);
  EXPECT_EQ(parts().results->cases().model().rowCount(), cases);
  EXPECT_GE(parts().results->panel("operators").table()->model().rowCount(), 1);
  EXPECT_EQ(parts().results->panel("kernels").table()->model().rowCount(), 1);
  EXPECT_EQ(std::get<BarChart>(parts().results->chart().figure()), *figures.figures.get<BarChart>("speedup"));
  EXPECT_FALSE(figures.figures.get<BarChart>("speedup")->bars.empty());
  EXPECT_EQ(parts().results->cards().cards(), *figures.figures.get<Cards>("headline"));
  EXPECT_EQ(parts().problems->model().rowCount(), 1);  // the fake's one mismatch
  EXPECT_EQ(parts().status->progressText().toStdString(), figures.line);
  EXPECT_TRUE(action("report.export")->isEnabled());
  EXPECT_EQ(parts().bar->runButton().defaultAction(), action("run.start"));
}

TEST_F(RunTest, ChoicesOfTheToolBarEndUpInTheJob) {
  open();
  edit("relu.cpp", test::fakeKernel());
  parts().bar->operators().setEditText("aten::gelu");
  parts().bar->efforts().setCurrentIndex(0);
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->kernels[0]->source.op, "aten::gelu");
  EXPECT_EQ(figures.report->timing.capSeconds, 0.25);
  parts().bar->efforts().setCurrentIndex(3);
  EXPECT_FALSE(run().report->stages.has(Stage::time));
}

TEST_F(RunTest, ARequestOfTheEvaluationServerRunsAsAKernelDoes) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  edit("request.json",
       R"({"kernel":{"source_code":"class Model: pass","kernel_type":"torch"},"num_trials":20})");
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_EQ(figures.report->kernels[0]->source.path, "kernel.py");
  EXPECT_EQ(figures.report->suite, "request");
  edit("refused.json", R"({"kernel":{"source_code":1}})");
  press(Qt::Key_F5);
  EXPECT_TRUE(waitFor([this] {
    return parts().banner->text().contains("the evaluation server refuses such a request");
  })) << parts().banner->text().toStdString();
}

TEST_F(RunTest, EscapeCancelsFromWithinTheEditorAndKeepsWhatWasFinished) {
  open();
  edit("relu.cpp", test::fakeKernel("--delay=0.05"))->setFocus();
  press(Qt::Key_F5);
  EXPECT_TRUE(window().controller().running());
  EXPECT_EQ(parts().bar->runButton().defaultAction(), action("run.cancel"));
  ASSERT_TRUE(waitFor([this] {
    const auto f = window().controller().figures();
    return f && f->counts.checked > 1;
  }));
  press(Qt::Key_Escape);
  ASSERT_TRUE(waitFor([this] { return !window().controller().running(); }));
  const auto figures = window().controller().figures();
  EXPECT_EQ(figures->report->outcome, Outcome::cancelled);
  EXPECT_GT(figures->counts.checked, 1);
  EXPECT_LT(figures->counts.checked, figures->counts.total);
}

TEST_F(RunTest, CompileErrorsAppearInTheEditorAndInProblemsAndEnterJumpsThere) {
  open();
  const auto triangle = [this] { return parts().output->tabIcon(0).pixmap(16, 16).toImage(); };
  const QImage calm = triangle();
  Document* document = edit("relu.cpp", test::fakeKernel("--mode=compile-error"));
  run();
  EXPECT_NE(triangle(), calm) << "where there are problems the triangle is coloured";
  EXPECT_GE(document->editor().diagnosticCount(), 1);
  ASSERT_GE(parts().problems->model().rowCount(), 1);
  const Table& table = parts().problems->model().table();
  const auto placed = std::find_if(table.rows.begin(), table.rows.end(),
                                   [](const Table::Row& row) { return row.place.line > 0; });
  ASSERT_NE(placed, table.rows.end());
  document->editor().goTo(6, 1);
  parts().problems->select(placed->id);
  QTest::keyClick(&parts().problems->view(), Qt::Key_Return);
  EXPECT_EQ(document->editor().currentLine(), placed->place.line);
  document->editor().goTo(6, 1);
  press(Qt::Key_F8);
  EXPECT_EQ(parts().output->currentIndex(), 0);
  run();  // the next run begins without them
}

TEST_F(RunTest, ACrashIsAVerdictAndTheRunGoesOn) {
  open();
  edit("relu.cpp", test::fakeKernel("--mode=segfault:1"));
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_EQ(figures.report->kernels[0]->cases[1].check.verdict, Verdict::crashed);
  EXPECT_EQ(figures.counts.checked, figures.counts.total);
}

TEST_F(RunTest, AWorkerThatCannotStartIsSaidWithAHintAndRetryTriesAgain) {
  workerArguments_ = {"--mode=hello-failure"};
  open();
  ASSERT_TRUE(
      waitFor([this] { return window().controller().status().state == WorkerStatus::State::failed; }));
  EXPECT_FALSE(parts().banner->text().isEmpty());
  EXPECT_EQ(window().controller().status().failure.hint, "run packaging/setup");
  EXPECT_EQ(parts().banner->hint(), "Run packaging/setup") << "it stands alone";
  screenshot(window(), "worker-failed");
  workerArguments_.clear();
  action("run.restart")->trigger();
  EXPECT_TRUE(waitFor([this] { return window().controller().status().state == WorkerStatus::State::ready; }));
}

TEST_F(RunTest, AMissingSuiteIsToldBeforeAnythingRuns) {
  open();
  edit("relu.cpp", test::fakeKernel());
  parts().bar->setSuiteFile(folder() + "/nowhere.txt");
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([this] { return !parts().banner->text().isEmpty(); }));
  EXPECT_TRUE(parts().banner->text().contains("nowhere.txt"));
  EXPECT_FALSE(window().controller().running());
}

TEST_F(RunTest, WithoutAKernelRunSaysWhatToDo) {
  open();
  while (parts().tabs->current()) parts().tabs->remove(parts().tabs->current());
  action("run.start")->trigger();
  EXPECT_FALSE(parts().banner->text().isEmpty());
  EXPECT_FALSE(window().controller().running());
}

TEST_F(RunTest, TheLogFiltersBySource) {
  open();
  edit("relu.cpp", test::fakeKernel("--mode=chatty --cases=4"));
  const RunFigures& figures = run();
  ASSERT_FALSE(figures.report->log.empty());
  ASSERT_TRUE(waitFor([this] { return !parts().log->text().toPlainText().isEmpty(); }));
  parts().log->filter().setCurrentText("runner");
  const QString only = parts().log->text().toPlainText();
  for (const QString& line : only.split('\n', Qt::SkipEmptyParts))
    EXPECT_TRUE(line.startsWith("runner") || line.startsWith(' ')) << line.left(40).toStdString();
  EXPECT_LE(parts().log->text().blockCount(), 5000);
}

}  // namespace
}  // namespace wb
