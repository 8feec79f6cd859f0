// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QVariant>
#include <span>

namespace wb {

/// What a setting holds. A flag is the number 0 or 1.
enum class SettingKind { flag, whole, real, choice };

/// One of the values of a choice.
struct SettingChoice {
  QVariant value;
  QString title;
};

/// A setting that has a row on the settings page. A new one is a row of the list in setting_list.cpp.
struct SettingInfo {
  /// Its name in the file: "editor/zoom".
  const char* name;
  /// The section of the page, the title, and one or two sentences on what it does.
  const char *section, *title, *help;
  SettingKind kind = SettingKind::flag;
  /// The value until the user sets one.
  double standard = 0;
  /// For numbers; what is beyond is taken as the nearest bound.
  double least = 0, most = 1;
  const char* suffix = "";
  /// The value of a choice until the user sets one, where choices are words.
  const char* standardWord = nullptr;
};

[[nodiscard]] std::span<const SettingInfo> settingList();
/// The setting with this key; null for a key without a row.
[[nodiscard]] const SettingInfo* findSetting(const QString& key);
/// The values of a choice, in order.
[[nodiscard]] QList<SettingChoice> choicesOf(const SettingInfo& setting);
[[nodiscard]] QVariant standardOf(const SettingInfo& setting);

}  // namespace wb
