// SPDX-License-Identifier: GPL-3.0-or-later
// With WARPBENCH_PICTURES=1: every page of the window in both themes and at two sizes, while there is
// nothing, while something runs, with results, with results that do not hold any more, and with errors. They
// are there to be looked at, and fail where a page shows nothing.
#include <QDialog>
#include <QTabWidget>

#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/editing/document.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class EveryPage : public test::ProfileWindow {
 protected:
  void SetUp() override {
    if (!qEnvironmentVariableIsSet("WARPBENCH_PICTURES")) GTEST_SKIP() << "WARPBENCH_PICTURES=1 takes them";
    test::ProfileWindow::SetUp();
  }
  /// In both themes at both sizes.
  void shootAll(const QString& name) {
    for (const QSize size : {QSize(1600, 1000), QSize(1024, 700)}) {
      window().resize(size);
      ASSERT_TRUE(waitFor([&] { return window().size() == size; }));
      inBothThemes([&](const QString& theme) {
        shoot(window(), QStringLiteral("all-%1-%2%3").arg(name, theme).arg(size.width()));
      });
    }
  }
  /// Each tab of a page.
  void shootTabs(QTabWidget& tabs, const QString& name) {
    for (int tab = 0; tab < tabs.count(); ++tab) {
      if (!tabs.isTabVisible(tab)) continue;
      tabs.setCurrentIndex(tab);
      shootAll(QStringLiteral("%1-%2").arg(name).arg(tab));
    }
  }
  void shootDialog(const char* command, const QString& name) {
    action(command)->trigger();
    QDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
      for (QDialog* one : window().findChildren<QDialog*>())
        if (one->isVisible()) dialog = one;
      return dialog != nullptr;
    })) << command;
    QTest::qWait(300);
    inBothThemes([&](const QString& theme) { shoot(*dialog, "all-" + name + "-" + theme + "dialog"); });
    delete dialog;
  }
};

TEST_F(EveryPage, WithNothing) {
  open();
  shootAll("welcome");
  edit("relu.cpp", test::fakeKernel());
  shootTabs(parts().results->pages(), "empty");
}

TEST_F(EveryPage, WhileARunGoesOn) {
  open();
  edit("relu.cpp", test::fakeKernel("--mode=hang:6 --cases=40"));
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([&] { return parts().results->cases().isVisible(); }));
  QTest::qWait(500);
  shootAll("running");
  window().controller().cancel();
  ASSERT_TRUE(waitFor([&] { return !window().controller().running(); }));
  shootAll("cancelled");
}

TEST_F(EveryPage, WithResults) {
  open();
  Document* relu = edit("relu.cpp", test::fakeKernel());
  run();
  shootTabs(parts().results->tabs(), "results");
  shootTabs(parts().results->pages(), "pages");
  window().comparing().pin();
  run();
  window().comparing().pin();
  run();
  parts().results->pages().setCurrentIndex(0);
  shootAll("compare");
  parts().results->tabs().setCurrentIndex(0);
  parts().results->cases().select("0/2");
  shootAll("failing");
  relu->editor().goTo(1, 1);
  QTest::keyClicks(&relu->editor(), "//");
  QTest::qWait(300);
  shootAll("stale");
  shootTabs(*parts().output, "output");
}

TEST_F(EveryPage, WithErrors) {
  open();
  edit("relu.cpp", test::fakeKernel("--mode=compile-error"));
  run();
  shootAll("compile-error");
  edit("crash.cpp", test::fakeKernel("--mode=segfault:4"));
  run();
  shootAll("crash");
  parts().banner->tell(Tone::bad, "The worker could not be started.", "Set the Python in the settings.");
  shootAll("banner");
}

TEST_F(EveryPage, WithAProfile) {
  Document* document = openRecording("made_softmax");
  profile();
  document->editor().goTo(14, 1);
  shootTabs(parts().results->profile().tabs(), "profile");
  action("view.assembly")->trigger();
  shootAll("assembly");
}

TEST_F(EveryPage, Dialogs) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  for (const char* command : {"file.new", "file.settings", "report.export", "help.about"})
    if (action(command)) shootDialog(command, QString::fromLatin1(command).replace('.', '-'));
}

}  // namespace
}  // namespace wb
