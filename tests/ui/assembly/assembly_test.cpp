// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's assembly beside its source: what is chosen, what is hidden, and how both sides go together.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <cstdio>
#include <ctime>

#include "editor/band_layer.h"
#include "editor/kernel_editor.h"
#include "editor/line_places.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/assembly/assembly_view.h"
#include "ui/assembly/code_colors.h"
#include "ui/assembly/code_header.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/history/history_flow.h"
#include "ui/history/history_view.h"
#include "ui/results/run_figures.h"

namespace wb {
namespace {

/// A listing of so many rows in two dtypes, with labels and NOPs, on lines of 20 rows each.
std::shared_ptr<CodeListing> listingOf(int rows, const std::string& startedAt = "now") {
  auto listing = std::make_shared<CodeListing>();
  listing->path = "k.cu";
  listing->source = "line one\nline two\n";
  listing->startedAt = startedAt;
  for (const char* dtype : {"f32", "f16"}) {
    CodeForm form;
    form.language = "SASS", form.function = "k", form.dtype = dtype, form.architecture = "sm_90";
    for (int i = 0; i < rows; ++i) {
      CodeRow row;
      row.text = i % 10 == 9 ? "NOP" : "FFMA R" + std::to_string(i % 200) + ", R2, R3, R4";
      row.kind = i % 10 == 9 ? CodeRowKind::nop : CodeRowKind::instruction;
      row.address = "0000";
      row.line = i / 20 + 1;
      if (i % 10 == 3) row.line = 0, row.library = "math.hpp:9";
      form.rows.push_back(row);
    }
    listing->forms.push_back(form);
  }
  listing->forms[0].stalls[42]["long_scoreboard"] = 90;
  listing->forms[0].stalls[47]["barrier"] = 10;
  listing->forms[0].samples = listing->samples = 100;
  return listing;
}

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

TEST(CodeColors, PartsOfARow) {
  using T = CodeToken;
  EXPECT_EQ(codeParts(ListingKind::sass, "@P0 LDG.E R2, [R4+0x10]"),
            (std::vector<CodePart>{
                {1, 2, T::reg}, {4, 5, T::opcode}, {10, 2, T::reg}, {15, 2, T::reg}, {18, 4, T::number}}));
  EXPECT_EQ(codeParts(ListingKind::ptx, "bra $L_2; // far"),
            (std::vector<CodePart>{{0, 3, T::opcode}, {4, 4, T::label}, {10, 6, T::comment}}));
  EXPECT_EQ(codeParts(ListingKind::host, "mov rax,0x1"),
            (std::vector<CodePart>{{0, 3, T::opcode}, {4, 3, T::reg}, {8, 3, T::number}}));
  EXPECT_TRUE(codeParts(ListingKind::sass, "").empty());
}

TEST(AssemblyViewTest, BoxesChooseAndFiltersHide) {
  AssemblyView view;
  EXPECT_FALSE(view.emptyText().text().isEmpty());
  view.setListing(listingOf(100));
  EXPECT_EQ(view.form()->dtype, "f32");
  EXPECT_EQ(view.pane().rowCount(), 90) << "NOPs are hidden";
  view.filters().findChild<QAction*>("nops")->setChecked(false);
  EXPECT_EQ(view.pane().rowCount(), 100);
  view.filters().findChild<QAction*>("library")->setChecked(true);
  EXPECT_EQ(view.pane().rowCount(), 90);
  ASSERT_EQ(view.dtype().count(), 2);
  view.dtype().setCurrentIndex(1);
  emit view.dtype().activated(1);
  EXPECT_EQ(view.form()->dtype, "f16");
  // A later run keeps the choice.
  view.setListing(listingOf(200, "later"));
  EXPECT_EQ(view.form()->dtype, "f16");
}

TEST(AssemblyViewTest, MarginsShowWhatIsChosenAndHotSpotsAreVisited) {
  AssemblyView view;
  view.setListing(listingOf(100));
  EXPECT_EQ(view.counter(), "samples");
  EXPECT_EQ(view.marksOfLines().at(3).text, "100 %");
  view.goToHot(1);
  EXPECT_TRUE(view.pane().helpOf(view.pane().currentRow()).contains("90"))
      << view.pane().helpOf(view.pane().currentRow()).toStdString();
  const int hot = view.pane().currentRow();
  view.goToHot(1);
  EXPECT_EQ(view.pane().currentRow(), hot) << "the other one is lukewarm";
  view.counters().setCurrentIndex(view.counters().findData("barrier"));
  emit view.counters().activated(view.counters().currentIndex());
  EXPECT_EQ(view.marksOfLines().at(3).text, "10.0 %");
}

// A running job lists PTX first, and then the machine code and its samples.
TEST(AssemblyViewTest, WhatComesLaterIsShownWhileNobodyHasChosen) {
  AssemblyView view;
  auto first = listingOf(50);
  first->forms.erase(first->forms.begin());
  first->forms[0].kind = ListingKind::ptx, first->forms[0].language = "PTX";
  first->samples = 0;
  view.setListing(first);
  EXPECT_EQ(view.form()->language, "PTX");
  EXPECT_EQ(view.counter(), "");
  view.setListing(listingOf(50));
  EXPECT_EQ(view.form()->language, "SASS");
  EXPECT_EQ(view.counter(), "samples");
}

TEST(AssemblyViewTest, WhatWasChosenIsChosenAgainWhenItIsThere) {
  AssemblyView first;
  first.setListing(listingOf(50));
  first.dtype().setCurrentIndex(first.dtype().findText("f16"));
  emit first.dtype().activated(1);
  first.counters().setCurrentIndex(first.counters().findData("rows"));
  emit first.counters().activated(first.counters().currentIndex());
  const int other = first.comparison().findText("f32, sm_90");
  ASSERT_GT(other, 0);
  first.comparison().setCurrentIndex(other);
  emit first.comparison().activated(other);
  for (QAction* each : first.filters().actions())
    if (each->objectName() == "labels" || each->objectName() == "nops") each->toggle();
  const AssemblyChoices choices = first.choices();

  AssemblyView second;
  second.restore(choices);
  EXPECT_EQ(second.choices(), choices) << "before there is anything to see";
  second.setPinned(listingOf(10));
  second.setListing(listingOf(50));
  EXPECT_EQ(second.form()->dtype, "f16");
  EXPECT_EQ(second.counter(), "rows");
  EXPECT_EQ(second.comparison().currentText(), "f32, sm_90");
  EXPECT_EQ(second.choices(), choices);
  AssemblyView third;
  third.restore({false, {"PTX", "gone", "f64", "sm_75"}, "No such counter", "Last run", {}});
  third.setListing(listingOf(50));
  ASSERT_NE(third.form(), nullptr) << "what is not there any more is not waited for";
  EXPECT_EQ(third.pane().rowCount(), 50) << "nothing is hidden";
}

TEST(AssemblyViewTest, TheHeaderSaysOfWhatTheNumbersAre) {
  AssemblyView view;
  view.setListing(listingOf(50));
  ASSERT_EQ(view.counter(), "samples");
  EXPECT_EQ(view.pane().header().unit(), "% samples");
  EXPECT_TRUE(view.pane().header().accessibleName().contains("SASS"));
  view.counters().setCurrentIndex(0);
  emit view.counters().activated(0);
  EXPECT_EQ(view.pane().header().unit(), "");
}

TEST(AssemblyViewTest, ARunIsComparedWithTheLastAndWithAnotherDtype) {
  AssemblyView view;
  view.setListing(listingOf(100));
  EXPECT_EQ(view.comparison().findText("Last run"), -1);
  auto changed = listingOf(100, "later");
  changed->forms[0].rows[5].text = "FADD R1, R1, 1";
  changed->source = "line one\nline 2\n";
  view.setListing(changed);
  const int last = view.comparison().findText("Last run, sm_90");
  ASSERT_GT(last, 0);
  view.comparison().setCurrentIndex(last);
  emit view.comparison().activated(last);
  EXPECT_EQ(view.pane().rowCount(), 91) << "one row went and one came";
  const int source = view.language().findText("Source");
  ASSERT_GE(source, 0);
  view.language().setCurrentIndex(source);
  emit view.language().activated(source);
  EXPECT_EQ(view.pane().rowCount(), 3);
  EXPECT_EQ(view.pane().textOf(1), "line two");
  view.language().setCurrentIndex(0);
  emit view.language().activated(0);
  const int other = view.comparison().findText("f16, sm_90");
  ASSERT_GT(other, 0);
  view.comparison().setCurrentIndex(other);
  emit view.comparison().activated(other);
  EXPECT_EQ(view.pane().rowCount(), 91);
}

TEST(AssemblyViewTest, KeysGoThroughTheRowsAndCopy) {
  AssemblyView view;
  view.resize(600, 400);
  view.show();
  view.setListing(listingOf(100));
  CodePane& pane = view.pane();
  QTest::keyClick(&pane, Qt::Key_End, Qt::ControlModifier);
  EXPECT_EQ(pane.currentRow(), pane.rowCount() - 1);
  QTest::keyClick(&pane, Qt::Key_Home, Qt::ControlModifier);
  EXPECT_EQ(pane.currentRow(), 0);
  QTest::keyClick(&pane, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&pane, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), "FFMA R0, R2, R3, R4\nFFMA R1, R2, R3, R4");
  EXPECT_TRUE(pane.helpOf(0).startsWith("FFMA: "));
  EXPECT_EQ(pane.accessibleDescription(), pane.textOf(1));
}

TEST(AssemblyViewTest, TwentyThousandRowsOpenAtOnce) {
  AssemblyView view;
  view.resize(700, 900);
  view.show();
  const auto listing = listingOf(20000);
  const double start = cpuMilliseconds();
  view.setListing(listing);
  const double set = cpuMilliseconds();
  view.grab();
  const double painted = cpuMilliseconds();
  view.pane().markLine(900, true);
  view.grab();
  const double moved = cpuMilliseconds();
  auto next = listingOf(20000, "later");
  for (std::size_t i = 0; i < next->forms[0].rows.size(); i += 50)
    next->forms[0].rows[i].text = "FADD R1, R1, " + std::to_string(i);
  view.setListing(next);
  const int last = view.comparison().findText("Last run, sm_90");
  ASSERT_GT(last, 0);
  view.comparison().setCurrentIndex(last);
  const double before = cpuMilliseconds();
  emit view.comparison().activated(last);
  std::printf("[ measured ] 20 000 rows, 400 of them changed, compared in %.1f ms\n",
              cpuMilliseconds() - before);
  std::printf(
      "[ measured ] 20 000 rows: set %.1f ms, first paint %.1f ms, a line marked and painted %.1f ms\n",
      set - start, painted - set, moved - painted);
  EXPECT_EQ(view.pane().rowCount(), 18400) << "those that went stand there too";
}

class AssemblyTest : public test::ProfileWindow {
 protected:
  [[nodiscard]] AssemblyView& view() { return window().assembly().view(); }
};

TEST_F(AssemblyTest, BandsStandInBothAndGoWithTheirLines) {
  Document* document = openRecording("made_softmax");
  profile();
  EXPECT_TRUE(document->editor().bands().isEmpty()) << "nothing stands beside it yet";
  action("view.assembly")->trigger();
  ASSERT_TRUE(parts().tabs->isSideViewShown());
  const BandLayer& bands = document->editor().bands();
  for (const auto& [line, band] : view().pane().bands()) EXPECT_EQ(bands.lineNow(line), line) << band;
  const int line = view().pane().bands().rbegin()->first;
  document->editor().insertAt("// new\n", 0, 0);
  EXPECT_EQ(bands.lineNow(line), line + 1);
  EXPECT_EQ(bands.lineCompiled(line + 1), line);
  action("view.assembly")->trigger();
  EXPECT_TRUE(document->editor().bands().isEmpty());
}

TEST_F(AssemblyTest, F7GoesToTheHotSpotAndTheSourceFollows) {
  Document* document = openRecording("made_softmax");
  profile();
  press(Qt::Key_F7);
  EXPECT_TRUE(parts().tabs->isSideViewShown());
  EXPECT_GT(document->editor().pointedLine(), 0);
  EXPECT_EQ(document->editor().pointedLine(), view().pane().markedLine());
}

TEST_F(AssemblyTest, ItComesBackWithTheSessionAsItWasChosen) {
  openRecording("h100_bank_conflict");
  profile();
  action("view.assembly")->trigger();
  emit view().language().activated(view().language().currentIndex());
  const int last = view().counters().count() - 1;
  ASSERT_GT(last, 1);
  view().counters().setCurrentIndex(last);
  emit view().counters().activated(last);
  for (QAction* each : view().filters().actions())
    if (each->objectName() == "nops") each->toggle();
  const AssemblyChoices chosen = window().assembly().choices();
  EXPECT_TRUE(chosen.isShown);
  EXPECT_FALSE(parts().tabs->current()->editor().bands().isEmpty());
  ASSERT_TRUE(
      waitFor([this] { return window().history().view() && window().history().view()->runs().size() == 1; }));
  window().close();
  ASSERT_TRUE(waitFor([this] { return !window().isVisible(); }));
  close();
  open();
  ASSERT_TRUE(waitFor([this] { return view().form() != nullptr; }));
  EXPECT_TRUE(parts().tabs->isSideViewShown());
  EXPECT_TRUE(action("view.assembly")->isChecked());
  EXPECT_EQ(window().assembly().choices(), chosen);
  EXPECT_FALSE(parts().tabs->current()->editor().bands().isEmpty()) << "it is known whose code it is";
}

TEST_F(AssemblyTest, BothSidesScrollTogether) {
  QString text;
  for (int i = 1; i <= 400; ++i) text += QStringLiteral("// line %1\n").arg(i);
  open();
  window().resize(1400, 900);
  Document* document = edit("k.cu", text);
  auto listing = listingOf(4000);
  listing->path = document->title().toStdString();
  run();  // the document is the one of the run
  window().assembly().view().setListing(listing);
  window().assembly().adopt(*document);
  window().assembly().show(true);
  KernelEditor& editor = document->editor();
  editor.verticalScrollBar()->setValue(150);
  const auto topLine = [&] {
    int top = 0;
    return view().pane().lineNear(view().pane().viewport()->height() / 3, &top);
  };
  EXPECT_NEAR(topLine(), lineAt(editor, editor.viewport()->height() / 3), 3);
  view().pane().verticalScrollBar()->setValue(400);
  EXPECT_NEAR(topLine(), lineAt(editor, editor.viewport()->height() / 3), 3);
  view().filters().findChild<QAction*>("together")->setChecked(false);
  const int before = editor.verticalScrollBar()->value();
  view().pane().verticalScrollBar()->setValue(2000);
  EXPECT_EQ(editor.verticalScrollBar()->value(), before);
}

TEST_F(AssemblyTest, AnArchitectureThatIsNotThereIsCompiledFor) {
  openRecording("made_static");
  profile();
  const int at = view().architecture().findText("sm_100 (compile)");
  ASSERT_GE(at, 0);
  view().architecture().setCurrentIndex(at);
  bool ended = false;
  QObject::connect(&window().controller(), &RunController::finished, [&ended] { ended = true; });
  emit view().architecture().activated(at);
  ASSERT_TRUE(waitFor([&] { return ended; }));
  EXPECT_EQ(window().controller().figures()->report->profile.architecture, "sm_100");
}

TEST_F(AssemblyTest, EveryBoxHasANameAndIsReachedByTab) {
  openRecording("made_static");
  profile();
  for (QComboBox* box : view().findChildren<QComboBox*>()) {
    EXPECT_FALSE(box->accessibleName().isEmpty());
    EXPECT_TRUE(box->focusPolicy() & Qt::TabFocus);
  }
  EXPECT_TRUE(view().pane().focusPolicy() & Qt::TabFocus);
}

}  // namespace
}  // namespace wb
