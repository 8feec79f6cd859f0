// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>
#include <vector>

#include "core/runner/runner.h"
#include "ui/run_controller.h"

class QComboBox;
class QToolButton;

namespace wb {

class Actions;
class Settings;

/// The tool bar: Run, and what to run on: operator, suite, device, effort.
class RunBar : public QToolBar {
  Q_OBJECT
 public:
  RunBar(Actions& actions, Settings& settings, QWidget* parent = nullptr);
  [[nodiscard]] RunChoices choices() const;
  void setRunning(bool running);
  void setOperators(const QStringList& names);
  void setDevices(const std::vector<Device>& devices);
  [[nodiscard]] QString deviceTitle() const;
  [[nodiscard]] QComboBox& operators() const { return *operator_; }
  [[nodiscard]] QComboBox& suites() const { return *suite_; }
  [[nodiscard]] QComboBox& devices() const { return *device_; }
  [[nodiscard]] QComboBox& efforts() const { return *effort_; }
  [[nodiscard]] QToolButton& runButton() const { return *run_; }
  void setSuiteFile(const QString& file);

 signals:
  void deviceChanged(const QString& id);
  void suiteFileWanted();

 private:
  QComboBox* combo(const QString& name, const QString& tip, int width);
  void fillSuites();
  void addSpacer();
  QToolButton* actionButton(const QString& id, bool withText);

  Actions& actions_;
  Settings& settings_;
  QToolButton* run_;
  QComboBox *operator_, *suite_, *device_, *effort_;
  int suiteBefore_ = 0;
};

}  // namespace wb
