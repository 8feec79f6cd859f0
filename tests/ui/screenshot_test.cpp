// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window with a real-looking run, under the build folder's "screenshots": to be looked at.
// With QT_SCALE_FACTOR=2 they get "-2x".
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QFrame>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <cstdio>
#include <filesystem>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/details/details_view.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/editing/find_bar.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/checking_button.h"
#include "ui/run/run_bar.h"
#include "ui/run/suite_box.h"
#include "ui/settings/python_panel.h"
#include "ui/settings/settings_page.h"
#include "ui/tables/table_panel.h"
#include "ui/window/command_palette.h"

namespace wb {
namespace {

class ScreenshotTest : public test::WindowTest {
 protected:
  /// With two samples open, the torch C++ one in front.
  void openSample(const QString& extra = {}) {
    open();
    window().resize(1600, 1000);
    const QString samples = QStringLiteral(WB_SOURCE_DIR "/resources/samples/");
    for (Document* document : parts().tabs->documents()) parts().tabs->remove(document);
    edit("softmax.cu", QString::fromUtf8(readFile(samples + "softmax.cu")));
    edit("softmax.cpp", QString::fromUtf8(readFile(samples + "softmax.cpp")) + extra);
  }
  void shoot(const QString& name) { shoot(window(), name); }
  void shoot(QWidget& widget, const QString& name) {
    const bool twice = window().devicePixelRatioF() > 1.5;
    EXPECT_FALSE(readFile(screenshot(widget, twice ? name + "-2x" : name)).isEmpty());
  }
};

TEST_F(ScreenshotTest, ARunForTheReadme) {
  // Real numbers where the worker and its torch are there; else those of the fake.
  const std::string worker = WB_BINARY_DIR "/bin/warpbench-worker";
  if (std::filesystem::exists(worker)) worker_ = {worker};
  workerArguments_ =
      worker_.empty() ? std::vector<std::string>{"--mismatch=none"} : std::vector<std::string>{};
  openSample();
  parts().bar->efforts().setCurrentIndex(0);
  run(100000);
  if (window().controller().figures()->counts.timed == 0 && !worker_.empty()) {
    const Report& report = *window().controller().figures()->report;
    std::printf("[ note     ] the real worker timed nothing (%s), so the picture shows the fake's numbers\n",
                report.failure               ? report.failure->text.c_str()
                : report.kernels[0]->failure ? report.kernels[0]->failure->text.c_str()
                                             : "no reason given");
    close();
    worker_.clear();
    workerArguments_ = {"--mismatch=none"};
    openSample();
    run();
  }
  parts().results->cases().select("0/3");
  shoot("readme");
  action("view.theme.light")->trigger();
  shoot("light-run");
}

TEST_F(ScreenshotTest, AnEmptyWindow) {
  openSample();
  shoot("dark-empty");
  action("view.theme.light")->trigger();
  shoot("light-empty");
}

TEST_F(ScreenshotTest, ACompileErrorWithFindAndReplace) {
  openSample("// fake: --mode=compile-error\n");
  run();
  parts().find->showReplace();
  parts().find->findChild<QLineEdit*>()->setText("self");
  shoot("dark-compile-error");
  action("view.theme.light")->trigger();
  shoot("light-compile-error");
}

TEST_F(ScreenshotTest, ACrashInTheMiddle) {
  openSample("// fake: --mode=segfault:4\n");
  run();
  parts().results->tabs().setCurrentIndex(2);
  shoot("dark-crash");
}

TEST_F(ScreenshotTest, ACaseWithoutATimeIsLeftOutOfTheHeadline) {
  openSample("// fake: --mode=not-timed:6 --mismatch=none\n");
  run();
  parts().results->cases().select("0/6");
  for (const char* theme : {"dark", "light"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    shoot(QString::fromLatin1(theme) + "-left-out");
  }
}

TEST_F(ScreenshotTest, AFailingCaseAndARightOneWithTheirDetails) {
  openSample();
  run();
  for (const char* theme : {"dark", "light"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    const QString prefix = QString::fromLatin1(theme) + "-";
    for (const auto& [size, name] :
         {std::pair{QSize(1600, 1000), "details"}, {QSize(1024, 700), "details-small"}}) {
      window().resize(size);
      parts().results->cases().select("0/2");
      shoot(prefix + name);
      parts().results->cases().select("0/0");
      shoot(prefix + name + "-right");
    }
  }
}

TEST_F(ScreenshotTest, TheCommandPaletteOverARun) {
  openSample();
  run();
  window().palettePopup().open();
  QTest::keyClicks(&window().palettePopup().input(), "find");
  shoot("dark-palette");
  action("view.theme.light")->trigger();
  window().palettePopup().open();
  shoot("light-palette");
}

// Popups and dialogs too, each in both themes.
TEST_F(ScreenshotTest, SuitesCheckingSettingsAndComparison) {
  openSample();
  ASSERT_TRUE(waitFor([this] { return parts().bar->suites().findText("opinfo") >= 0; }));
  parts().bar->suites().choose("opinfo");
  for (const char* theme : {"dark", "light"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    const QString prefix = QString::fromLatin1(theme) + "-";
    parts().bar->suites().showPopup();
    shoot(*parts().bar->suites().view()->window(), prefix + "suites");
    parts().bar->suites().hidePopup();
    parts().bar->checking().open();
    shoot(parts().bar->checking().panel(), prefix + "checking");
    parts().bar->checking().panel().hide();
    window().showSettings();
    SettingsPage* settings = nullptr;
    ASSERT_TRUE(waitFor(
        [&] { return (settings = window().findChild<SettingsPage*>()) && !settings->python().asking(); }));
    shoot(*settings, prefix + "settings");
    delete settings;
    window().newKernel();
    NewDialog* chooser = nullptr;
    ASSERT_TRUE(waitFor([&] { return (chooser = window().findChild<NewDialog*>()) && chooser->chosen(); }));
    shoot(*chooser, prefix + "new");
    delete chooser;
  }
  parts().bar->suites().choose("smoke");
  run();
  window().comparing().pin();
  run();
  parts().results->cases().select("0/0");
  for (const char* theme : {"light", "dark"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    shoot(QString::fromLatin1(theme) + "-compare");
  }
}

}  // namespace
}  // namespace wb
