// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a profile, in both themes, beside those of screenshot_test.cpp.
#include <QAction>
#include <QFrame>
#include <QTabWidget>
#include <QTableView>

#include "editor/kernel_editor.h"
#include "tests/ui/profile_window.h"
#include "ui/code_view.h"
#include "ui/details_view.h"
#include "ui/document.h"
#include "ui/profile_button.h"
#include "ui/profile_view.h"
#include "ui/results_view.h"
#include "ui/run_bar.h"
#include "ui/run_figures.h"
#include "ui/table_model.h"
#include "ui/table_panel.h"

namespace wb {
namespace {

class ProfileScreenshots : public test::ProfileWindow {
 protected:
  void shoot(QWidget& widget, const QString& name) {
    QTest::qWait(60);
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

TEST_F(ProfileScreenshots, MachineCodeOnTheCpu) {
  openRecording("made_static");
  window().resize(1600, 1000);
  profile();
  view().tabs().setCurrentIndex(5);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "profile-static"); });
}

}  // namespace
}  // namespace wb
