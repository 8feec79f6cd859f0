// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "ui/settings/setting_list.h"

class QToolButton;

namespace wb {

class Settings;

/// One setting on the page: its title and what it does, the control at the right, and a button that goes back
/// to the standard. What is changed holds at once.
class SettingRow : public QWidget {
  Q_OBJECT
 public:
  /// `choices` are those of a choice.
  SettingRow(const SettingInfo& setting, const QList<SettingChoice>& choices, Settings& settings,
             QWidget* parent = nullptr);
  [[nodiscard]] const SettingInfo& setting() const { return setting_; }
  [[nodiscard]] QWidget& control() const { return *control_; }
  /// Whether each of these words is in the title, the help or the section.
  [[nodiscard]] bool matches(const QStringList& words) const;

 private:
  QWidget* makeControl(const QList<SettingChoice>& choices);
  void showValue();
  void set(const QVariant& value);

  const SettingInfo& setting_;
  Settings& settings_;
  QWidget* control_ = nullptr;
  QToolButton* reset_;
};

}  // namespace wb
