// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a profile, in both themes, beside those of screenshot_test.cpp.
#include <QAction>
#include <QFrame>
#include <QTabWidget>
#include <QTableView>
#include <cstdio>
#include <filesystem>

#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/assembly/code_view.h"
#include "ui/details/details_view.h"
#include "ui/editing/document.h"
#include "ui/profile/profile_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/profile_button.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

class ProfileScreenshots : public test::ProfileWindow {
 protected:
  void shoot(QWidget& widget, const QString& name) {
    QTest::qWait(250);  // rows made anew for a theme are laid out in several steps
    const bool twice = window().devicePixelRatioF() > 1.5;
    EXPECT_FALSE(readFile(screenshot(widget, twice ? name + "-2x" : name)).isEmpty());
  }
  void inBothThemes(const std::function<void(const QString&)>& take) {
    for (const char* theme : {"dark", "light"}) {
      action((std::string("view.theme.") + theme).c_str())->trigger();
      take(QString::fromLatin1(theme) + "-");
    }
  }
  [[nodiscard]] ProfileView& view() { return parts().results->profile(); }
};

TEST_F(ProfileScreenshots, EveryViewOfAProfile) {
  Document* document = openRecording("made_softmax");
  window().resize(1600, 1000);
  profile();
  document->editor().goTo(14, 1);
  const char* names[] = {"metrics", "hot-lines", "roofline", "timeline", "launches", "code"};
  inBothThemes([&](const QString& theme) {
    for (int tab = 0; tab < view().tabs().count(); ++tab) {
      view().tabs().setCurrentIndex(tab);
      shoot(window(), theme + "profile-" + names[tab]);
    }
    view().code().choosePtx(true);
    shoot(window(), theme + "profile-ptx");
    view().code().choosePtx(false);
    parts().bar->profiling().open();
    shoot(parts().bar->profiling().panel(), theme + "profile-options");
    parts().bar->profiling().panel().hide();
  });
  parts().results->showPage(nullptr);
  parts().results->cases().select("0/0");
  parts().output->setCurrentWidget(parts().details);
  shoot(window(), "light-timing-details");
}

/// A log that a real card wrote: the picture of the README.
TEST_F(ProfileScreenshots, AProfileThatAnH100Wrote) {
  Document* document = openRecording("h100_bank_conflict");
  window().resize(1600, 1000);
  profile();
  document->editor().goTo(10, 1);
  view().tabs().setCurrentIndex(0);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "h100"); });
}

TEST_F(ProfileScreenshots, RefusedAndNotThereYet) {
  openRecording("made_refused");
  window().resize(1600, 1000);
  parts().results->showPage(&view());
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "profile-none"); });
  profile();
  view().tabs().setCurrentIndex(3);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "profile-refused"); });
}

TEST_F(ProfileScreenshots, ACallOfSeveralKernels) {
  openRecording("made_mm");
  window().resize(1600, 1000);
  profile();
  const char* names[] = {"metrics", "hot-lines", "roofline", "timeline", "launches", "code"};
  for (int tab = 0; tab < 5; ++tab) {
    view().tabs().setCurrentIndex(tab);
    shoot(window(), QStringLiteral("dark-several-") + names[tab]);
  }
}

// From the real compiler and disassembler, where they are there: thousands of rows.
TEST_F(ProfileScreenshots, TheSamplesOwnMachineCode) {
  const std::string worker = WB_BINARY_DIR "/bin/warpbench-worker";
  if (!std::filesystem::exists(worker)) GTEST_SKIP() << "no worker was built";
  worker_ = {worker};
  open();
  window().resize(1600, 1000);
  Document* document =
      edit("softmax.cu", QString::fromUtf8(readFile(WB_SOURCE_DIR "/resources/samples/softmax.cu")));
  const RunFigures& figures = profile();
  if (figures.profiles.empty() || figures.profiles[0]->figures.table("instructions")->rows.empty())
    GTEST_SKIP() << "no machine code: no worker, or no disassembler";
  EXPECT_EQ(view().tabs().currentWidget(), &view().code());
  TablePanel& code = view().code().instructions();
  std::printf("[ note     ] %d instructions, %d lines of PTX\n", code.model().rowCount(),
              view().code().ptx().model().rowCount());
  EXPECT_GT(view().code().ptx().model().rowCount(), 100);
  document->editor().goTo(44, 1);
  int row = 0;
  while (row < code.model().rowCount() && code.model().placeOf(code.model().idAt(row)).line != 44) ++row;
  ASSERT_LT(row, code.model().rowCount()) << "the line of the first loop has instructions";
  code.select(code.model().idAt(row));
  EXPECT_EQ(document->editor().pointedLine(), 44);
  shoot(window(), "dark-real-code");
  view().code().choosePtx(true);
  TablePanel& ptx = view().code().ptx();
  row = 0;
  while (row < ptx.model().rowCount() && ptx.model().placeOf(ptx.model().idAt(row)).line != 44) ++row;
  ASSERT_LT(row, ptx.model().rowCount());
  ptx.select(ptx.model().idAt(row));
  shoot(window(), "dark-real-ptx");
  view().tabs().setCurrentIndex(4);
  shoot(window(), "dark-real-launches");
}

TEST_F(ProfileScreenshots, MachineCodeOnTheCpu) {
  openRecording("made_static");
  window().resize(1600, 1000);
  profile();
  view().tabs().setCurrentIndex(5);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "profile-static"); });
}

}  // namespace
}  // namespace wb
