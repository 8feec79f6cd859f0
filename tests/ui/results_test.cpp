// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict line and the cards: always whole, and grey with the reason when they do not hold any more.
#include <gtest/gtest.h>

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QTabWidget>
#include <QTextDocument>
#include <QToolButton>
#include <cmath>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/cards_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/results/verdict_view.h"
#include "ui/run/run_bar.h"
#include "ui/settings/settings.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

class ResultsTest : public test::WindowTest {
 protected:
  [[nodiscard]] VerdictView& verdict() const { return parts().results->verdict(); }
  [[nodiscard]] std::string caveat() const { return verdict().verdict().caveat; }
  bool waitForCaveat(const char* words) {
    return waitFor([this, words] { return caveat().find(words) != std::string::npos; });
  }
  // The results have their share of the window's width, and mostly no fewer than 535 pixels, which they get a
  // little after the window's size.
  bool waitForShare() {
    return waitFor([this] {
      const double wanted =
          std::max(usualShare * window().width(), std::min(535.0, window().width() * 0.525));
      return std::abs(parts().results->width() - wanted) < 0.01 * window().width();
    });
  }
  // The text of a label for which there is too little room, in the verdict or on a card; "" for none.
  std::string cut() {
    if (verdict().height() < verdict().heightForWidth(verdict().width())) return "the verdict";
    for (const QLabel* label : parts().results->cards().findChildren<QLabel*>()) {
      if (!label->isVisible()) continue;
      const bool isWhole = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                             : label->width() >= label->sizeHint().width();
      if (!isWhole) return label->text().toStdString();
    }
    return {};
  }
  void expectNothingIsCut() {
    EXPECT_TRUE(waitFor([this] { return cut().empty(); })) << cut();
  }
  static constexpr double usualShare = 0.44;
};

TEST_F(ResultsTest, TheVerdictStandsOnOneLineAboveTheResults) {
  open();
  EXPECT_FALSE(verdict().isVisible());
  edit("relu.cpp", test::fakeKernel());
  const RunFigures& figures = run();
  EXPECT_TRUE(verdict().isVisible());
  EXPECT_EQ(verdict().verdict(), figures.verdict);
  EXPECT_TRUE(verdict().plainText().startsWith("relu.cpp · ")) << verdict().plainText().toStdString();
  EXPECT_TRUE(verdict().plainText().contains("smoke · CPU · "));
  EXPECT_TRUE(caveat().empty()) << caveat();
}

TEST_F(ResultsTest, VerdictAndCardsAreWholeAtEverySize) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
    window().resize(size);
    ASSERT_TRUE(waitFor([&] { return window().size() == size; }));
    ASSERT_TRUE(waitForShare());
    expectNothingIsCut();
    // In a low window the cards take one row.
    const CardsView& cards = parts().results->cards();
    EXPECT_EQ(cards.isShort(), size.height() == 700);
    EXPECT_EQ(cards.columns(), cards.isShort() ? 4 : 2);
    // One line, though the date of the fake is not today's and takes room that a run of today leaves.
    EXPECT_LT(verdict().height(), 2 * verdict().fontMetrics().height() + 14) << size.width();
    screenshot(window(), QStringLiteral("results-%1").arg(size.width()));
  }
}

TEST_F(ResultsTest, AChangedSourceAndAnotherTabAreSaid) {
  open();
  Document* relu = edit("relu.cpp", test::fakeKernel());
  run();
  relu->setFocus();
  relu->editor().goTo(1, 1);
  QTest::keyClicks(&relu->editor(), "//");
  EXPECT_TRUE(waitForCaveat("The source has changed since."));
  Document* other = edit("gelu.cpp", test::fakeKernel());
  EXPECT_TRUE(waitForCaveat("gelu.cpp has not run")) << caveat();
  EXPECT_TRUE(parts().results->cases().isFaded());
  EXPECT_TRUE(parts().results->cards().isFaded());
  expectNothingIsCut();
  screenshot(window(), "results-of-another-tab");
  parts().tabs->setCurrent(relu);
  EXPECT_FALSE(parts().results->cases().isFaded());
  EXPECT_NE(other, relu);
}

TEST_F(ResultsTest, TheLastResultStaysWhileTheNextComesAndWhenItDoesNotCompile) {
  open();
  Document* document = edit("relu.cpp", test::fakeKernel("--cases=7"));
  run();
  const std::string before = verdict().verdict().parts[1].text;
  document->editor().setText(test::fakeKernel("--mode=compile-error"));
  run();
  EXPECT_EQ(verdict().verdict().parts[1].text, before);
  EXPECT_NE(caveat().find("does not compile"), std::string::npos) << caveat();
  EXPECT_TRUE(parts().results->cases().isFaded());
  EXPECT_EQ(parts().results->cases().model().rowCount(), 7);
  EXPECT_GE(parts().problems->model().rowCount(), 1);
  document->editor().setText(test::fakeKernel("--cases=5"));
  run();
  EXPECT_EQ(parts().results->cases().model().rowCount(), 5);
  EXPECT_FALSE(parts().results->cases().isFaded());
  EXPECT_TRUE(caveat().empty()) << caveat();
}

TEST_F(ResultsTest, ACancelledRunSaysHowMuchDidNotRun) {
  open();
  edit("relu.cpp", test::fakeKernel("--delay=0.05"))->setFocus();
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([this] {
    const auto f = window().controller().figures();
    return f && f->counts.checked > 1;
  }));
  EXPECT_NE(caveat().find("So far"), std::string::npos) << caveat();
  press(Qt::Key_Escape);
  ASSERT_TRUE(waitFor([this] { return !window().controller().running(); }));
  EXPECT_NE(caveat().find("Cancelled"), std::string::npos) << caveat();
}

TEST_F(ResultsTest, TheToolBarKeepsEverythingInANarrowWindowAndDoesNotJump) {
  open();
  edit("relu.cpp", test::fakeKernel());
  window().resize(1024, 700);
  ASSERT_TRUE(waitForShare());
  const auto* more = parts().bar->findChild<QToolButton*>("qt_toolbar_ext_button");
  ASSERT_NE(more, nullptr);
  EXPECT_FALSE(more->isVisible());
  EXPECT_FALSE(more->icon().isNull());
  const int before = parts().bar->runButton().width();
  parts().bar->setRunning(true);
  QCoreApplication::processEvents();
  EXPECT_EQ(parts().bar->runButton().width(), before);
  parts().bar->setRunning(false);
}

TEST_F(ResultsTest, TheDockKeepsItsShareOfTheWindow) {
  open();
  for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
    window().resize(size);
    EXPECT_TRUE(waitForShare()) << parts().results->width() << " of " << window().width();
  }
}

TEST_F(ResultsTest, SavingRunsWhereThatIsChosen) {
  const QString file = writeFile("relu.cpp", test::fakeKernel().toUtf8());
  open({file});
  action("run.onSave")->setChecked(true);
  EXPECT_TRUE(settings_->runsOnSave());
  Document* document = parts().tabs->current();
  document->setFocus();
  document->editor().goTo(1, 1);
  QTest::keyClicks(&document->editor(), "//");
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] {
    const auto figures = window().controller().figures();
    return figures && figures->report->outcome == Outcome::finished;
  }));
  EXPECT_TRUE(window().controller().figures()->report->stages.has(Stage::time));
  EXPECT_EQ(window().controller().figures()->report->kernels[0]->source.text, document->text().toStdString());
}

TEST_F(ResultsTest, APauseInTypingChecksAndTheNextKeyEndsThat) {
  open();
  Document* document = edit("relu.cpp", test::fakeKernel("--delay=0.05"));
  document->setFocus();
  document->editor().goTo(1, 1);
  QTest::keyClicks(&document->editor(), "//");
  action("run.whileTyping")->setChecked(true);
  EXPECT_FALSE(window().controller().running());
  QTest::keyClicks(&document->editor(), " a");
  ASSERT_TRUE(waitFor([this] {
    const auto figures = window().controller().figures();
    return figures && figures->counts.checked > 1;
  }));
  EXPECT_FALSE(window().controller().figures()->report->stages.has(Stage::time));
  QTest::keyClicks(&document->editor(), "b");
  ASSERT_TRUE(
      waitFor([this] { return window().controller().figures()->report->outcome == Outcome::cancelled; }));
  // It is checked again by itself, to the end.
  ASSERT_TRUE(
      waitFor([this] { return window().controller().figures()->report->outcome == Outcome::finished; }));
  EXPECT_EQ(window().controller().figures()->report->kernels[0]->source.text, document->text().toStdString());
}

TEST_F(ResultsTest, AltAndACharacterTypeNothing) {
  open();
  Document* document = edit("relu.cpp", test::fakeKernel());
  const QString before = document->text();
  document->setFocus();
  for (const char c : {'1', 'x', '-'}) QTest::keyClick(&document->editor(), c, Qt::AltModifier);
  EXPECT_EQ(document->text(), before);
  QTest::keyClick(&document->editor(), '@', Qt::AltModifier | Qt::ControlModifier);  // AltGr
}

}  // namespace
}  // namespace wb
