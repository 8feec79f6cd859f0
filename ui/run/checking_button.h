// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "core/model/job.h"
#include "ui/run/options_panel.h"

class QButtonGroup;
class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace wb {

class Settings;

/// A button that says in a word how outputs are judged, with a panel below it to change that.
class CheckingButton : public QToolButton {
  Q_OBJECT
 public:
  explicit CheckingButton(Settings& settings, QWidget* parent = nullptr);
  [[nodiscard]] Tolerance tolerance() const;
  [[nodiscard]] Checking checking() const;
  [[nodiscard]] int workers() const;
  /// Sets the preset, as in Tolerance::preset.
  void setPreset(const QString& preset);
  [[nodiscard]] QCheckBox& repeat() const { return *repeat_; }
  [[nodiscard]] QCheckBox& oracle() const { return *oracle_; }
  [[nodiscard]] QSpinBox& workersField() const { return *workers_; }
  [[nodiscard]] QFrame& panel() const { return *panel_; }
  [[nodiscard]] QLineEdit& rtol() const { return *rtol_; }
  [[nodiscard]] QLineEdit& atol() const { return *atol_; }
  void open();

 private:
  void buildPanel();
  QCheckBox* addCheck(const QString& text, const QString& hint);
  void restore();
  void remember();

  Settings& settings_;
  OptionsPanel* panel_;
  QButtonGroup* presets_;
  QCheckBox *repeat_ = nullptr, *oracle_ = nullptr;
  QLineEdit *rtol_, *atol_;
  QSpinBox* workers_;
  /// The settings change because of what was chosen here.
  bool remembering_ = false;
};

}  // namespace wb
