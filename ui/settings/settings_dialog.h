// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>
#include <stop_token>

#include "core/base/result.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb {

class Settings;
struct PythonFacts;

/// Shows what is set once: the Python environment, how kernels are judged and how
/// long they may take, and the theme. Whenever the
/// environment changes, it is examined in the background; it can be accepted only when kernels can run in it.
class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);
  ~SettingsDialog() override;

  [[nodiscard]] QLineEdit& python() const { return *python_; }
  [[nodiscard]] QComboBox& theme() const { return *theme_; }
  [[nodiscard]] QCheckBox& strict() const { return *strict_; }
  [[nodiscard]] QDoubleSpinBox& caseSeconds() const { return *caseSeconds_; }
  [[nodiscard]] QDoubleSpinBox& firstCallSeconds() const { return *firstCallSeconds_; }
  [[nodiscard]] QCheckBox& sandbox() const { return *sandbox_; }
  [[nodiscard]] QPushButton& okButton() const { return *ok_; }
  /// What is said about the environment.
  [[nodiscard]] QString message() const;
  [[nodiscard]] bool asking() const { return asking_; }

 signals:
  /// "" means the one that is found automatically.
  void pythonChosen(const QString& path);
  void themeChosen(const QString& name);

 private:
  QWidget* buildPython();
  QWidget* buildJudging();
  QWidget* buildLimits();
  QWidget* buildWalls();
  QWidget* buildLook();
  void browse();
  void ask();
  void answer(const Result<PythonFacts>& facts);
  void tell(const QString& icon, int tone, const QString& text, const QString& hint);
  void take();

  Settings& settings_;
  QLineEdit* python_;
  QComboBox* theme_;
  QCheckBox* strict_;
  QDoubleSpinBox *caseSeconds_, *firstCallSeconds_;
  QCheckBox* sandbox_;
  QLabel *sign_, *message_, *hint_;
  QPushButton* ok_;
  QTimer delay_;
  /// What the user asked for, with bin/python added to a folder; "" for automatic.
  QString program_;
  std::stop_source question_;
  /// The number of the newest question.
  int asked_ = 0;
  bool asking_ = false;
};

}  // namespace wb
