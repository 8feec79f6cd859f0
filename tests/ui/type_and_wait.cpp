// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/type_and_wait.h"

#include <QApplication>
#include <QTest>
#include <cstdio>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/settings/settings.h"
#include "ui/style/appearance.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"

namespace wb::test {

int typeAndWait(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ui-test"));
  WindowOptions options;
  options.files = {QString::fromLocal8Bit(argv[2])};
  Settings settings(options.config);
  Appearance appearance(application, ThemeChoice::dark);
  MainWindow window(appearance, settings, options);
  window.show();
  const auto opened = [&] { return window.isReady() && window.parts().tabs->withPath(options.files[0]); };
  if (!QTest::qWaitFor(opened, 20000)) return 1;
  QTest::keyClicks(window.parts().tabs->withPath(options.files[0])->editor().viewport(),
                   QStringLiteral("edited "));
  Document* fresh = window.parts().files->createUntitled();
  QTest::keyClicks(fresh->editor().viewport(), QStringLiteral("never saved"));
  // Nothing is flushed here by hand: the journal writes after its own delay.
  for (const char* text : {"edited int x;", "never saved"})
    if (!waitForJournal(text)) return 1;
  std::puts("typed");
  std::fflush(stdout);
  return QApplication::exec();
}

}  // namespace wb::test
