// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back after the window was closed, and after the program was killed.
#include "ui/window/session.h"

#include <QElapsedTimer>
#include <QScreen>
#include <QSplitter>
#include <QTableView>
#include <algorithm>
#include <cstdio>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"
#include "ui/editing/files.h"
#include "ui/history/history_flow.h"
#include "ui/history/history_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

class SessionTest : public test::WindowTest {
 protected:
  /// As a user would, whom nothing is asked.
  void quit() {
    window().close();
    ASSERT_TRUE(waitFor([this] { return !window().isVisible(); }));
    window_.reset();
    settings_.reset();
    appearance_.reset();
  }
  [[nodiscard]] QStringList titles() const {
    QStringList all;
    for (const Document* document : parts().tabs->documents()) all.push_back(document->title());
    return all;
  }
  bool waitForRuns(int count) {
    return waitFor([&] { return int(window().history().view()->runs().size()) == count; });
  }
};

TEST_F(SessionTest, AQuitAsksNothingAndEverythingComesBackAsItWas) {
  open({writeFile("saved.cpp", "int saved;\n")});
  ASSERT_TRUE(waitFor([this] { return titles() == QStringList("saved.cpp"); }));
  QTest::keyClicks(parts().tabs->current()->editor().viewport(), "changed ");
  edit("sample.cpp", "int sample;\n");
  QTest::keyClicks(edit("fresh.cpp", "")->editor().viewport(), "int fresh");
  parts().tabs->setCurrent(parts().tabs->documents()[1]);
  quit();
  EXPECT_EQ(saveQuestions_, 0);
  EXPECT_EQ(readFile(folder() + "/saved.cpp"), "int saved;\n");

  open();
  EXPECT_EQ(titles(), (QStringList{"saved.cpp", "sample.cpp", "fresh.cpp"}));
  const auto documents = parts().tabs->documents();
  EXPECT_EQ(documents[0]->text(), "changed int saved;\n");
  EXPECT_TRUE(documents[0]->isModified());
  EXPECT_EQ(documents[1]->text(), "int sample;\n");
  EXPECT_FALSE(documents[1]->isModified());
  EXPECT_TRUE(documents[2]->text().startsWith("int fresh"));
  EXPECT_EQ(parts().tabs->current(), documents[1]);
  EXPECT_EQ(parts().banner->text(), "") << "a quit is no accident";
  EXPECT_TRUE(parts().status->currentMessage().contains("saved.cpp, fresh.cpp"))
      << parts().status->currentMessage().toStdString();
}

TEST_F(SessionTest, TheSplitComesBackWithItsSides) {
  open({writeFile("left.cpp", "int left;\n"), writeFile("right.cpp", "int right;\n"),
        writeFile("both.cpp", "int both;\n")});
  ASSERT_TRUE(waitFor([this] { return titles().size() == 3; }));
  const auto named = [this](const char* title) {
    for (Document* document : parts().tabs->documents())
      if (document->title() == QLatin1String(title)) return document;
    return static_cast<Document*>(nullptr);
  };
  parts().tabs->setCurrent(named("right.cpp"));
  parts().tabs->moveToOtherSide();
  parts().tabs->setCurrent(named("both.cpp"));
  parts().tabs->split();
  parts().tabs->setCurrent(named("left.cpp"));
  named("left.cpp")->setFocus();
  const auto expectSides = [&] {
    EXPECT_EQ(parts().tabs->group(1).documents(), std::vector<Document*>{named("right.cpp")});
    EXPECT_EQ(parts().tabs->group(0).documents().size(), 2U);
    EXPECT_EQ(named("both.cpp")->editors().size(), 2U);
    EXPECT_EQ(named("left.cpp")->editors().size(), 1U);
    EXPECT_EQ(parts().tabs->group(0).current(), named("left.cpp"));
    EXPECT_EQ(parts().tabs->current(), named("left.cpp"));
  };
  expectSides();
  quit();
  open();
  ASSERT_TRUE(waitFor([this] { return titles().size() == 3; }));
  expectSides();
}

TEST_F(SessionTest, TheBordersBetweenThePartsComeBack) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().results->cases().select("0/0");
  auto* splitter = window().findChild<QSplitter*>("detailsSplitter");
  ASSERT_TRUE(waitFor([&] { return splitter->sizes().at(1) > 0; }));
  splitter->setSizes({splitter->height() - 160, 160});
  const double share = double(splitter->sizes().at(1)) / splitter->height();
  ASSERT_TRUE(waitForRuns(1));
  quit();
  open();
  ASSERT_TRUE(waitFor([this] { return window().controller().figures() != nullptr; }));
  parts().results->cases().select("0/0");
  splitter = window().findChild<QSplitter*>("detailsSplitter");
  ASSERT_TRUE(waitFor([&] { return splitter->sizes().at(1) > 0; }));
  EXPECT_NEAR(double(splitter->sizes().at(1)) / splitter->height(), share, 0.1);
}

TEST_F(SessionTest, AWindowOfAScreenThatIsGoneIsSeenAgain) {
  open();
  window().setGeometry(20000, 15000, 900, 600);  // as on another screen
  ASSERT_TRUE(waitFor([this] { return window().x() > 10000; }));
  quit();
  open();
  EXPECT_TRUE(window().screen()->availableGeometry().intersects(window().geometry()))
      << window().x() << ", " << window().y();
}

TEST_F(SessionTest, TypingWhereThereIsNoScreenOffersNothingAndEndsNothing) {
  open();
  KernelEditor& editor = edit("names.cpp", "int blockDimension;\n")->editor();
  const QRect before = window().geometry();
  window().move(20000, 15000);
  ASSERT_TRUE(waitFor([this] { return window().x() > 10000; }));
  editor.goTo(2, 1);
  QTest::keyClicks(editor.viewport(), "blo");
  EXPECT_FALSE(editor.isListActive());
  window().move(before.topLeft());
  ASSERT_TRUE(waitFor([this] { return window().x() < 10000; }));
  QTest::keyClicks(editor.viewport(), "c");
  EXPECT_TRUE(editor.isListActive()) << "there is a screen again";
  QTest::keyClick(editor.viewport(), Qt::Key_Escape);
  EXPECT_TRUE(editor.text().endsWith("bloc"));
}

TEST_F(SessionTest, AfterAKillTheWindowSaysWhatItBroughtBack) {
  open();
  QTest::keyClicks(edit("mine.cpp", "")->editor().viewport(), "int answer");
  ASSERT_TRUE(test::waitForJournal("int answer"));
  close();
  open();
  EXPECT_TRUE(parts().banner->text().contains("without being closed"));
  EXPECT_TRUE(parts().banner->hint().contains("mine.cpp")) << parts().banner->hint().toStdString();
  screenshot(window(), "recovered");
}

TEST_F(SessionTest, ATextThatWasClosedDoesNotComeBack) {
  open();
  QTest::keyClicks(edit("gone.cpp", "")->editor().viewport(), "x");
  ASSERT_TRUE(waitFor([this] { return parts().tabs->current()->isModified(); }));
  saveAnswer_ = SaveAnswer::discard;
  press(Qt::Key_W, Qt::ControlModifier);
  quit();
  open();
  EXPECT_FALSE(titles().contains("gone.cpp"));
}

TEST_F(SessionTest, WhoWantsToBeAskedIsAskedAndWhatIsDiscardedIsGone) {
  open();
  settings_->setNumber("files/keepUnsaved", 0);
  QTest::keyClicks(edit("a.cpp", "")->editor().viewport(), "x");
  saveAnswer_ = SaveAnswer::cancel;
  window().close();
  EXPECT_TRUE(window().isVisible());
  EXPECT_EQ(saveQuestions_, 1);
  saveAnswer_ = SaveAnswer::discard;
  quit();
  open();
  EXPECT_FALSE(titles().contains("a.cpp"));
}

TEST_F(SessionTest, AFileThatVanishedMeanwhileIsNamed) {
  const QString file = writeFile("here.cpp", "int x;\n");
  open({file});
  ASSERT_TRUE(waitFor([this] { return titles() == QStringList("here.cpp"); }));
  quit();
  QFile::remove(file);
  open();
  EXPECT_TRUE(parts().banner->text().contains("here.cpp")) << parts().banner->text().toStdString();
}

TEST_F(SessionTest, FilesOfTheCommandLineOpenInOrderAndTheLastIsInFront) {
  QStringList files;
  for (int i = 0; i < 8; ++i)
    files.push_back(writeFile(QString("f%1.cpp").arg(i), QByteArray(i % 2 ? 4 : 400000, '\n')));
  open(files);
  ASSERT_TRUE(waitFor([this] { return parts().tabs->count() == 8; }));
  EXPECT_EQ(titles(),
            (QStringList{"f0.cpp", "f1.cpp", "f2.cpp", "f3.cpp", "f4.cpp", "f5.cpp", "f6.cpp", "f7.cpp"}));
  EXPECT_EQ(parts().tabs->current()->title(), "f7.cpp");
}

TEST_F(SessionTest, ResultsAndBaselineComeBackAfterAKill) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const std::shared_ptr<const Report> first = run().report;
  ASSERT_TRUE(waitForRuns(1));
  action("report.pin")->trigger();
  ASSERT_TRUE(waitFor([this] { return window().history().view()->runs().at(0).pinned; }));
  const Report second = *run().report;
  ASSERT_TRUE(waitForRuns(2));
  window().session().journal().flush();
  close();

  open();
  ASSERT_TRUE(waitFor([this] { return window().controller().figures() && window().comparing().baseline(); }));
  EXPECT_EQ(*window().controller().figures()->report, second);
  EXPECT_EQ(*window().comparing().baseline()->report, *first);
  EXPECT_TRUE(waitForRuns(2)) << "what is shown again is not kept again";
  EXPECT_TRUE(parts().banner->hint().contains("results"));
}

TEST_F(SessionTest, EveryRunIsKeptAndCanBeShownComparedAndOpenedAgain) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const Report first = *run().report;
  QTest::keyClicks(parts().tabs->current()->editor().viewport(), "// second ");
  const Report second = *run().report;
  ASSERT_TRUE(waitForRuns(2));
  HistoryView& view = *window().history().view();
  EXPECT_FALSE(action("history.open")->isEnabled());
  view.table().select(view.runs()[1].id);
  ASSERT_TRUE(action("history.open")->isEnabled());
  action("history.open")->trigger();
  ASSERT_TRUE(waitFor([&] { return *window().controller().figures()->report == first; }));
  view.table().select(view.runs()[0].id);
  action("history.compare")->trigger();
  ASSERT_TRUE(waitFor([this] { return window().comparing().baseline() != nullptr; }));
  EXPECT_EQ(*window().comparing().baseline()->report, second);
  const int tabs = parts().tabs->count();
  action("history.source")->trigger();
  ASSERT_TRUE(waitFor([&] { return parts().tabs->count() == tabs + 1; }));
  EXPECT_TRUE(parts().tabs->current()->text().startsWith("// second "));
  parts().results->showTab(&view);
  screenshot(window(), "history");
  action("history.forget")->trigger();
  EXPECT_TRUE(waitForRuns(1));
}

TEST_F(SessionTest, AnySavedReportOpensAndWhatIsNoneIsSaid) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const Report report = *run().report;
  ASSERT_TRUE(waitForRuns(1));
  const QString file = folder() + "/copy.json";
  ASSERT_TRUE(QFile::copy(window().history().shownFile(), file));
  run();
  ASSERT_TRUE(waitForRuns(2));
  window().history().open(file);
  ASSERT_TRUE(waitFor([&] { return *window().controller().figures()->report == report; }));
  window().history().open(writeFile("broken.json", "{"));
  EXPECT_TRUE(waitFor([this] { return parts().banner->text().contains("broken.json"); }));
  EXPECT_EQ(window().history().view()->runs().size(), 2u);
}

TEST_F(SessionTest, TwoWindowsDoNotTakeEachOthersTexts) {
  open();
  QTest::keyClicks(edit("one.cpp", "")->editor().viewport(), "int one");
  ASSERT_TRUE(test::waitForJournal("int one"));
  const auto first = std::move(window_);
  const auto firstSettings = std::move(settings_);
  const auto firstAppearance = std::move(appearance_);
  open();
  EXPECT_FALSE(titles().contains("one.cpp"));
  EXPECT_EQ(first->parts().tabs->current()->title(), "one.cpp");
}

TEST_F(SessionTest, AKeystrokeIsSafeWithinFiftyMilliseconds) {
  EXPECT_LT(Journaling::delay, 50);
  open();
  KernelEditor& editor = edit("timed.cpp", QString("int line;\n").repeated(2000))->editor();
  ASSERT_TRUE(test::waitForJournal("int line;"));
  std::vector<double> waits;
  for (int i = 0; i < 20; ++i) {
    const QByteArray mark = QByteArray("mark") + QByteArray::number(i) + "_";
    QTest::keyClicks(editor.viewport(), mark);
    QElapsedTimer clock;
    clock.start();
    ASSERT_TRUE(test::waitForJournal(mark));
    waits.push_back(double(clock.nsecsElapsed()) / 1e6);
  }
  std::ranges::sort(waits);
  std::printf("[ figure   ] keystroke to synced journal: median %.1f, worst %.1f ms, polled every 10 ms\n",
              waits[waits.size() / 2], waits.back());
}

}  // namespace
}  // namespace wb
