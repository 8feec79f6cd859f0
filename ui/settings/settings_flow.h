// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/style/appearance.h"

class QMainWindow;

namespace wb {

class RunController;
struct WindowParts;

/// Opens the pages of settings and of this machine, and makes a changed setting hold at once.
class SettingsFlow : public QObject {
  Q_OBJECT
 public:
  SettingsFlow(const WindowParts& parts, RunController& controller, QMainWindow& window);
  void open();
  void openDoctor();
  /// All commands exist: gives them their keys, and says what is wrong with the settings' file.
  void windowIsReady();

 signals:
  void themeChosen(wb::ThemeChoice choice);

 private:
  void changed(const QString& key);

  const WindowParts& parts_;
  RunController& controller_;
  QMainWindow& window_;
};

}  // namespace wb
