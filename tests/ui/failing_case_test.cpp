// SPDX-License-Identifier: GPL-3.0-or-later
// What a failing case says, and what can be done about it.
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/details/details_view.h"
#include "ui/details/elements_view.h"
#include "ui/details/error_map_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_menu.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class FailingCase : public test::WindowTest {
 protected:
  /// A run of the fake, whose third case fails.
  Document* runOne() {
    open();
    Document* document = edit("relu.cpp", test::fakeKernel());
    run();
    return document;
  }
  void finishRun() {
    ASSERT_TRUE(waitFor([this] { return window().controller().running(); }));
    ASSERT_TRUE(waitFor([this] { return !window().controller().running(); }));
  }
};

TEST_F(FailingCase, NextProblemStaysInTheKernel) {
  Document* document = runOne();
  const int tabs = int(parts().tabs->documents().size());
  press(Qt::Key_F8);
  EXPECT_EQ(parts().tabs->current(), document);
  EXPECT_TRUE(waitFor([&] { return document->editor().hasFocus(); }));
  EXPECT_TRUE(parts().details->details().failing);
  QTest::keyClick(&parts().problems->view(), Qt::Key_Return);
  EXPECT_EQ(parts().tabs->current(), document);
  EXPECT_EQ(int(parts().tabs->documents().size()), tabs) << "no suite was opened";
}

TEST_F(FailingCase, WhatACaseWasMadeFromOpensToBeReadAndIsNeverRun) {
  Document* document = runOne();
  parts().results->cases().select("0/2");
  const QString suite =
      QFileInfo(QString::fromStdString(parts().details->details().origin.file)).absoluteFilePath();
  emit parts().details->originClicked();
  ASSERT_TRUE(waitFor([&] { return parts().tabs->current()->path() == suite; })) << suite.toStdString();
  EXPECT_TRUE(parts().tabs->current()->editor().isReadOnly());
  run();
  EXPECT_EQ(window().controller().figures()->report->kernels[0]->source.text, document->text().toStdString());
}

TEST_F(FailingCase, TheMapAndTheElementsStandBesideTheDetails) {
  runOne();
  parts().results->cases().select("0/2");
  ElementsView& elements = parts().details->elements();
  ASSERT_TRUE(elements.isVisible());
  EXPECT_EQ(elements.table().model().rowCount(), 3);
  ASSERT_EQ(elements.slices().size(), 1U) << "a box for the first of three dimensions";
  EXPECT_EQ(elements.map().slice().rows, 20);
  EXPECT_EQ(elements.map().slice().columns, 25);
  EXPECT_NE(elements.map().slice().letters.find('z'), std::string::npos) << "the worst of both slices";
  screenshot(window(), "failing-case");
  elements.slices()[0]->setFocus();
  QTest::keyClick(elements.slices()[0], Qt::Key_Up);
  EXPECT_EQ(elements.map().slice().letters.find('z'), std::string::npos) << "that is in the second slice";
  elements.map().setFocus();
  for (int i = 0; i < 18; ++i) QTest::keyClick(&elements.map(), Qt::Key_Right);
  for (int i = 0; i < 3; ++i) QTest::keyClick(&elements.map(), Qt::Key_Down);
  EXPECT_EQ(elements.cellWords(), "[0, 3, 17]: off by 8 to 16 times the tolerance");
  parts().results->cases().select("0/1");
  EXPECT_FALSE(elements.isVisible()) << "that one is right";
}

TEST_F(FailingCase, RunsAloneByKeyByButtonAndFromTheMenuOfItsRow) {
  runOne();
  parts().results->cases().select("0/2");
  const auto before = window().controller().figures();
  const Case failing = before->report->kernels[0]->cases[2].definition;
  press(Qt::Key_F5, Qt::ShiftModifier);
  finishRun();
  const auto one = window().controller().figures();
  ASSERT_EQ(one->report->kernels[0]->cases.size(), 1U);
  EXPECT_EQ(one->report->kernels[0]->cases[0].definition, failing);
  parts().results->cases().select("0/0");
  ASSERT_TRUE(parts().details->runOnly().isVisible());
  parts().details->runOnly().click();
  finishRun();
  EXPECT_EQ(window().controller().figures()->report->kernels[0]->cases.size(), 1U);
  EXPECT_GT(run().report->kernels[0]->cases.size(), 5U);
  parts().results->cases().select("0/1");
  QMenu menu;
  fillRowMenu(menu, parts().results->cases());
  ASSERT_TRUE(menu.actions().contains(action("run.only")));
  action("run.only")->trigger();
  finishRun();
  EXPECT_EQ(window().controller().figures()->report->kernels[0]->cases.size(), 1U);
  EXPECT_GT(run().report->kernels[0]->cases.size(), 5U) << "F5 runs the whole suite again";
}

TEST_F(FailingCase, WithoutAChosenCaseItSaysSo) {
  open();
  edit("relu.cpp", test::fakeKernel());
  press(Qt::Key_F5, Qt::ShiftModifier);
  EXPECT_TRUE(parts().banner->isVisible());
  EXPECT_FALSE(window().controller().running());
}

TEST_F(FailingCase, TheOperatorIsChosenForOneTab) {
  open();
  edit("gelu.cpp", test::fakeKernel());
  parts().bar->operators().lineEdit()->setFocus();
  QTest::keyClicks(parts().bar->operators().lineEdit(), "aten::gelu");
  EXPECT_EQ(parts().bar->request().op, "aten::gelu");
  edit("relu.cpp", test::fakeKernel());
  EXPECT_EQ(parts().bar->request().op, "") << "another kernel says itself what it is";
  EXPECT_FALSE(parts().bar->operators().lineEdit()->placeholderText().isEmpty());
  press(Qt::Key_Tab, Qt::ControlModifier);
  while (parts().tabs->current()->title() != "gelu.cpp") press(Qt::Key_Tab, Qt::ControlModifier);
  EXPECT_EQ(parts().bar->request().op, "aten::gelu");
}

}  // namespace
}  // namespace wb
