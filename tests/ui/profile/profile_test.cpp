// SPDX-License-Identifier: GPL-3.0-or-later
// Profiling in the window: what is asked for, where it appears, and how views and editor point at each other.
#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "editor/band_layer.h"
#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/assembly/assembly_view.h"
#include "ui/charts/chart_view.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/profile/occupancy_panel.h"
#include "ui/profile/profile_view.h"
#include "ui/results/advice_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/profile_button.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class ProfileTest : public test::ProfileWindow {
 protected:
  [[nodiscard]] ProfileView& view() { return parts().results->profile(); }
  static QString firstHotRow(const TablePanel& panel) {
    return QString::fromStdString(panel.model().idAt(0));
  }
};

TEST_F(ProfileTest, F6ProfilesAndFillsItsPageAndTheEditorsMargin) {
  Document* document = openRecording("made_softmax");
  EXPECT_FALSE(view().hasProfile());
  const RunFigures& figures = profile();
  EXPECT_TRUE(figures.report->stages.has(Stage::profile));
  EXPECT_TRUE(figures.report->stages.has(Stage::check));
  ASSERT_EQ(figures.profiles.size(), 1U);
  const CaseFigures& one = *figures.profiles[0];
  EXPECT_EQ(parts().results->pages().currentWidget(), &view());
  EXPECT_EQ(view().table("metrics").model().rowCount(), int(one.figures.table("metrics")->rows.size()));
  EXPECT_GT(view().table("metrics").model().rowCount(), 20);
  EXPECT_FALSE(view().eachKernel().isVisible());  // there is one only
  EXPECT_EQ(view().table("launches").model().rowCount(), int(one.figures.table("launches")->rows.size()));
  for (const char* id : {"stalls", "memory", "mix", "roofline", "timeline"})
    EXPECT_EQ(view().panel(id).chart()->figure(), *one.figures.find(id)) << id;
  EXPECT_FALSE(one.figures.get<StackChart>("stalls")->rows.empty());
  EXPECT_EQ(one.figures.get<PlaneChart>("roofline")->points.size(), 2U);
  EXPECT_EQ(window().assembly().view().pane().rowCount(),
            int(one.figures.table("instructions")->rows.size()));
  EXPECT_FALSE(parts().tabs->isSideViewShown());  // the profile is what is looked at
  EXPECT_FALSE(view().banner().isVisible());
  // The margin says what the table says.
  const Table& lines = view().table("hotlines").model().table();
  ASSERT_FALSE(lines.rows.empty());
  EXPECT_EQ(document->editor().heat().textOfLine(lines.rows[0].place.line).toStdString(),
            lines.rows[0].cells[1].text);
}

TEST_F(ProfileTest, ARunWithoutAProfileLeavesTheLastOneThere) {
  openRecording("made_softmax");
  profile();
  const auto before = view().shown();
  workerArguments_.clear();
  EXPECT_FALSE(run().report->stages.has(Stage::profile));
  EXPECT_TRUE(view().hasProfile());
}

TEST_F(ProfileTest, RefusedCountersAreSaidWithTheRemedyAndWithWhatStillWorks) {
  openRecording("made_refused");
  profile();
  EXPECT_TRUE(view().banner().isVisible());
  EXPECT_TRUE(view().banner().text().contains("counters")) << view().banner().text().toStdString();
  EXPECT_TRUE(view().banner().hint().contains("administrator")) << view().banner().hint().toStdString();
  EXPECT_TRUE(view().banner().hint().contains("timeline", Qt::CaseInsensitive))
      << view().banner().hint().toStdString();
  EXPECT_FALSE(std::get<TimeChart>(view().panel("timeline").chart()->figure()).lanes.empty());
  EXPECT_EQ(view().table("metrics").model().rowCount(), 0);
}

TEST_F(ProfileTest, OnTheCpuThereIsMachineCodeAndTheOptionsSayWhyNotMore) {
  openRecording("made_static");
  EXPECT_TRUE(action("run.profile")->isEnabled());
  EXPECT_TRUE(action("run.profile")->toolTip().contains("GPU"));
  EXPECT_FALSE(parts().bar->profiling().lines().isEnabled());
  EXPECT_FALSE(action("run.sanitize.memcheck")->isEnabled());
  EXPECT_TRUE(action("run.sanitize.memcheck")->toolTip().contains("GPU"));
  const RunFigures& figures = profile();
  ASSERT_EQ(figures.profiles.size(), 1U);
  EXPECT_TRUE(parts().tabs->isSideViewShown());  // the one thing to look at
  EXPECT_GT(window().assembly().view().pane().rowCount(), 0);
  EXPECT_EQ(view().table("metrics").model().rowCount(), 0);
}

TEST_F(ProfileTest, AnInstructionAndItsLinePointAtEachOther) {
  Document* document = openRecording("made_softmax");
  profile();
  action("view.assembly")->trigger();
  CodePane& code = window().assembly().view().pane();
  int row = -1;
  for (int i = 0; i < code.rowCount(); ++i)
    if (code.lineOf(i) == 11) row = i;
  ASSERT_GE(row, 0);
  document->editor().goTo(1, 1);
  code.setCurrentRow(row);
  EXPECT_EQ(document->editor().pointedLine(), 11);
  EXPECT_EQ(document->editor().currentLine(), 1);  // the caret stays
  code.setFocus();
  QTest::keyClick(&code, Qt::Key_Return);
  EXPECT_EQ(document->editor().currentLine(), 11);
  document->editor().goTo(14, 1);
  EXPECT_TRUE(waitFor([&] { return code.markedLine() == 14; }, 2000));
}

TEST_F(ProfileTest, HotLinesAndAdviceJumpToTheirLines) {
  Document* document = openRecording("made_softmax");
  profile();
  document->editor().goTo(1, 1);
  TablePanel& lines = view().table("hotlines");
  lines.select(lines.model().idAt(0));
  const int hottest = lines.model().placeOf(lines.model().idAt(0)).line;
  EXPECT_EQ(document->editor().pointedLine(), hottest);
  QTest::keyClick(&lines.view(), Qt::Key_Return);
  EXPECT_EQ(document->editor().currentLine(), hottest);
  document->editor().goTo(1, 1);
  auto* link = view().advice().findChild<QToolButton*>("link");
  ASSERT_NE(link, nullptr);
  link->click();
  EXPECT_GT(document->editor().currentLine(), 1);
}

TEST_F(ProfileTest, WhatIsChosenEndsUpInThePlan) {
  open();
  parts().bar->setDevices({{"cpu", "CPU", "", 0}, {"cuda:0", "NVIDIA H100", "sm_90", 0}});
  ProfileButton& options = parts().bar->profiling();
  EXPECT_EQ(options.plan(), ProfilePlan{});
  options.open();
  options.extent().button(1)->click();
  EXPECT_EQ(options.plan().sections, std::vector<std::string>{"all"});
  options.extent().button(2)->click();
  ASSERT_GT(options.sections().size(), 9U);
  for (QCheckBox* box : options.sections()) box->setChecked(false);
  options.sections()[0]->click();
  EXPECT_EQ(options.plan().sections,
            std::vector<std::string>{options.sections()[0]->objectName().toStdString()});
  options.lines().click();
  options.timeline().click();
  EXPECT_FALSE(options.plan().lines);
  EXPECT_FALSE(options.plan().timeline);
  options.panel().hide();
  const ProfilePlan plan = options.plan();
  edit("relu.cpp", test::fakeKernel());
  EXPECT_EQ(profile().report->profile, plan);
  close();
  open();  // remembered
  EXPECT_EQ(parts().bar->profiling().plan(), plan);
}

TEST_F(ProfileTest, TheSelectedCaseIsProfiledElseTheWorkerChooses) {
  open();
  edit("relu.cpp", test::fakeKernel());
  EXPECT_TRUE(profile().report->profile.indices.empty());
  parts().results->cases().select("0/3");
  EXPECT_EQ(profile().report->profile.indices, std::vector<std::uint32_t>{3});
  edit("gelu.cpp", test::fakeKernel());  // its case 3 is another
  EXPECT_TRUE(profile().report->profile.indices.empty());
}

TEST_F(ProfileTest, SanitizersRunTheCheckUnderTheirTool) {
  workerArguments_ = {"--device=cuda:0"};
  open();
  edit("relu.cpp", test::fakeKernel());
  parts().bar->setDevices({{"cuda:0", "NVIDIA H100", "sm_90", 0}});
  ASSERT_TRUE(action("run.sanitize.racecheck")->isEnabled());
  action("run.sanitize.racecheck")->trigger();
  ASSERT_TRUE(waitFor([this] { return !window().controller().running(); }));
  const Report& report = *window().controller().figures()->report;
  EXPECT_EQ(report.sanitizer, "racecheck");
  EXPECT_FALSE(report.stages.has(Stage::time));
  EXPECT_FALSE(report.stages.has(Stage::profile));
}

TEST_F(ProfileTest, TheCalculatorStartsWithTheLaunchAndAnswersWhatIf) {
  openRecording("made_softmax");
  profile();
  OccupancyPanel& panel = view().occupancy();
  const Launch& launch =
      (*window().controller().figures()->report->kernels[0]->cases[0].profile)->candidate.launches[0];
  EXPECT_EQ(panel.threads().value(), launch.block[0]);
  EXPECT_EQ(panel.registers().value(), launch.registers);
  EXPECT_EQ(panel.shared().value(), int(launch.staticShared + launch.dynamicShared));
  panel.threads().setValue(256);
  panel.registers().setValue(128);
  panel.shared().setValue(0);
  EXPECT_EQ(panel.occupancy().warps, 16);  // 65 536 registers / (128 × 32)
  EXPECT_TRUE(panel.text().contains("25.0 %")) << panel.text().toStdString();
  EXPECT_TRUE(panel.text().contains("registers"));
  view().table("launches").select(view().table("launches").model().idAt(1));  // the reference's
  EXPECT_NE(panel.registers().value(), 128);
}

TEST_F(ProfileTest, TheMarginIsSwitchedInTheViewMenu) {
  Document* document = openRecording("made_softmax");
  profile();
  const int shown = document->editor().marginWidth(1);
  EXPECT_GT(shown, 10);
  action("view.heat")->trigger();
  EXPECT_EQ(document->editor().marginWidth(1), 0);
  action("view.heat")->trigger();
  EXPECT_EQ(document->editor().marginWidth(1), shown);
}

TEST_F(ProfileTest, ACallOfSeveralKernelsHasALineForEachOnDemand) {
  openRecording("made_mm");
  const CaseFigures& one = *profile().profiles[0];
  const int whole = view().table("metrics").model().rowCount();
  const std::shared_ptr<const Table> all = one.figures.table("metrics");
  EXPECT_EQ(whole, int(std::count_if(all->rows.begin(), all->rows.end(),
                                     [](const Table::Row& row) { return row.depth == 0; })));
  ASSERT_TRUE(view().eachKernel().isVisible());
  view().eachKernel().click();
  EXPECT_EQ(view().table("metrics").model().rowCount(), int(all->rows.size()));
  EXPECT_GT(view().table("metrics").model().rowCount(), 2 * whole);
}

TEST_F(ProfileTest, TheTimelineCanBeExportedOnceThereIsOne) {
  openRecording("made_softmax");
  profile();
  window().exportReport();
  auto* chooser = window().findChild<ExportDialog*>();
  ASSERT_NE(chooser, nullptr);
  const int trace = chooser->format().findData(".trace.json");
  ASSERT_GE(trace, 0);
  chooser->file().setText(folder() + "/a.html");
  chooser->format().setCurrentIndex(trace);
  EXPECT_TRUE(chooser->file().text().endsWith("/a.trace.json")) << chooser->file().text().toStdString();
  chooser->format().setCurrentIndex(0);
  EXPECT_TRUE(chooser->file().text().endsWith("/a.html")) << chooser->file().text().toStdString();
}

TEST_F(ProfileTest, FitsInASmallWindowWithTheAssemblyOpenAndCutsNoAdvice) {
  openRecording("h100_bank_conflict");
  window().resize(1600, 1000);
  profile();
  action("view.assembly")->trigger();
  window().resize(1024, 700);
  const auto* advice = view().findChild<AdviceView*>();
  ASSERT_NE(advice, nullptr);
  const auto cut = [advice]() -> std::string {
    int seen = 0;
    for (const QLabel* label : advice->findChildren<QLabel*>()) {
      if (!label->wordWrap()) continue;
      ++seen;
      if (label->height() < label->heightForWidth(label->width())) return label->text().toStdString();
    }
    return seen > 0 ? std::string() : "there is none";
  };
  EXPECT_TRUE(waitFor([&] { return cut().empty(); }, 3000)) << cut();
  EXPECT_EQ(window().size(), QSize(1024, 700));
}

TEST_F(ProfileTest, BeforeTheFirstProfileTheWordsAreWholeInASmallWindow) {
  open();
  window().resize(1024, 700);
  edit("relu.cpp", test::fakeKernel());
  parts().results->pages().setCurrentWidget(&view());
  int seen = 0;
  for (const QLabel* label : view().findChildren<QLabel*>()) {
    if (!label->isVisible() || label->text().isEmpty()) continue;
    ++seen;
    const QRect words =
        label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 4000), Qt::TextWordWrap, label->text());
    EXPECT_TRUE(waitFor([&] {
      return label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                               : label->width() >= words.width();
    })) << label->text().toStdString();
  }
  EXPECT_GE(seen, 2);
}

TEST_F(ProfileTest, EveryControlIsReachedByTab) {
  openRecording("made_softmax");
  profile();
  for (int tab = 0; tab < view().tabs().count(); ++tab) {
    view().tabs().setCurrentIndex(tab);
    QWidget* page = view().tabs().currentWidget();
    bool some = false;
    for (QWidget* each : page->findChildren<QWidget*>())
      some = some || (each->isVisibleTo(page) && (each->focusPolicy() & Qt::TabFocus) && each->isEnabled());
    EXPECT_TRUE(some || (page->focusPolicy() & Qt::TabFocus)) << view().tabs().tabText(tab).toStdString();
  }
  EXPECT_TRUE(parts().bar->profiling().button().focusPolicy() & Qt::TabFocus);
  EXPECT_TRUE(parts().bar->profiling().more().focusPolicy() & Qt::TabFocus);
}

}  // namespace
}  // namespace wb
