// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <cstdio>
#include <cstring>

#include "editor/kernel_editor.h"
#include "tests/ui/type_and_wait.h"

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  qunsetenv("DBUS_SESSION_BUS_ADDRESS");  // the desktop's theme is not ours
  QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  if (argc > 1 && std::strcmp(argv[1], "--type-and-wait") == 0) return wb::test::typeAndWait(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ui-test"));
  return RUN_ALL_TESTS();
}
