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
  [[nodiscard]] ProfileView& view() { return parts().results->profile(); }
};

TEST_F(ProfileScreenshots, EveryViewOfAProfile) {
  Document* document = openRecording("made_softmax");
  window().resize(1600, 1000);
  profile();
  document->editor().goTo(14, 1);
  const char* names[] = {"metrics",  "hot-lines", "memory",  "instructions",
                         "roofline", "timeline",  "launches"};
  inBothThemes([&](const QString& theme) {
    for (int tab = 0; tab < view().tabs().count(); ++tab) {
      view().tabs().setCurrentIndex(tab);
      shoot(window(), theme + "profile-" + names[tab]);
    }
    parts().bar->profiling().open();
    shoot(parts().bar->profiling().panel(), theme + "profile-options");
    parts().bar->profiling().panel().hide();
  });
  window().resize(1024, 700);
  for (int tab = 0; tab < view().tabs().count(); ++tab) {
    view().tabs().setCurrentIndex(tab);
    shoot(window(), QStringLiteral("light-small-profile-") + names[tab]);
  }
  window().resize(1600, 1000);
  parts().results->showPage(nullptr);
  parts().results->cases().select("0/0");
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
  view().tabs().setCurrentIndex(5);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "profile-refused"); });
}

TEST_F(ProfileScreenshots, ACallOfSeveralKernels) {
  openRecording("made_mm");
  window().resize(1600, 1000);
  profile();
  const char* names[] = {"metrics",  "hot-lines", "memory",  "instructions",
                         "roofline", "timeline",  "launches"};
  for (int tab = 0; tab < view().tabs().count(); ++tab) {
    view().tabs().setCurrentIndex(tab);
    shoot(window(), QStringLiteral("dark-several-") + names[tab]);
  }
}

}  // namespace
}  // namespace wb
