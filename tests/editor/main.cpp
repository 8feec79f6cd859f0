// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFontDatabase>

#include "resources/resources.h"

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  testing::InitGoogleTest(&argc, argv);
  const QApplication application(argc, argv);
  wb::initResources();
  for (const QString& file : QDir(QStringLiteral(":/fonts")).entryList()) {
    if (!file.endsWith(QStringLiteral(".txt")))
      QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + file);
  }
  return RUN_ALL_TESTS();
}
