// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QToolBar>
#include <vector>

#include "core/jobs/job_request.h"
#include "core/runner/runner.h"
#include "ui/targets/run_place.h"

class QComboBox;
class QToolButton;

namespace wb {

class Actions;
class CheckingButton;
class DeviceBox;
class ProfileButton;
class Settings;
class SuiteBox;
struct SuiteInfo;

/// The tool bar: Run, and what it runs on: operator, suite, device, effort, checking.
class RunBar : public QToolBar {
  Q_OBJECT
 public:
  RunBar(Actions& actions, Settings& settings, QWidget* parent = nullptr);
  /// What was chosen beside the kernel.
  [[nodiscard]] JobRequest request() const;
  /// Where it runs: what is chosen, with as many workers as are asked for.
  [[nodiscard]] RunPlace place() const;
  void setRunning(bool running);
  void setOperators(const QStringList& names);
  /// Shows the operator that was chosen for this document.
  void setDocument(const QString& id);
  void setOperator(const QString& documentId, const QString& op);
  void setSuites(const std::vector<SuiteInfo>& suites);
  void setDevices(const std::vector<Device>& devices);
  /// What people call the chosen device of this machine; "" where a target or more than one is chosen.
  [[nodiscard]] QString deviceTitle() const;
  [[nodiscard]] QComboBox& operators() const { return *operator_; }
  [[nodiscard]] SuiteBox& suites() const { return *suite_; }
  [[nodiscard]] QComboBox& dtypes() const { return *dtype_; }
  [[nodiscard]] CheckingButton& checking() const { return *checking_; }
  [[nodiscard]] ProfileButton& profiling() const { return *profile_; }
  /// Whether kernels may find a GPU at the chosen place.
  [[nodiscard]] bool hasGpu() const;
  [[nodiscard]] DeviceBox& devices() const { return *device_; }
  [[nodiscard]] QComboBox& efforts() const { return *effort_; }
  [[nodiscard]] QToolButton& runButton() const { return *run_; }
  void setSuiteFile(const QString& file);

 signals:
  void deviceChanged();
  void suiteFileWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void settingChanged(const QString& key);
  QComboBox* combo(const QString& name, const QString& tip, int width);
  void dress(QComboBox& box, const QString& name, const QString& tip, int width);
  void addDtypes();
  void connectSuites();
  void addSpacer();
  QToolButton* actionButton(const QString& id);

  /// The document in front, and the operators that were chosen, by document.
  QString document_;
  QHash<QString, QString> operatorOf_;
  Actions& actions_;
  Settings& settings_;
  QToolButton* run_;
  SuiteBox* suite_;
  QComboBox *operator_, *dtype_, *effort_;
  DeviceBox* device_;
  QAction* dtypeShown_ = nullptr;
  CheckingButton* checking_;
  ProfileButton* profile_;
  /// What becomes smaller in a narrow window: buttons that lose their words, and boxes with their widths.
  QList<QToolButton*> squeezed_;
  std::vector<std::pair<QComboBox*, int>> boxes_;
  bool isNarrow_ = false;
};

}  // namespace wb
