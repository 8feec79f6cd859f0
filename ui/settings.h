// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <filesystem>

#include "ui/appearance.h"

namespace wb {

/// A tab of the last session.
struct SessionTab {
  QString path;
  int line = 1, column = 1;
};

/// What the window remembers, in one file under the user's configuration folder.
class Settings {
 public:
  explicit Settings(const std::filesystem::path& folder);

  [[nodiscard]] ThemeChoice theme() const;
  void setTheme(ThemeChoice choice);
  [[nodiscard]] QString text(const char* key, const QString& fallback = {}) const;
  void setText(const char* key, const QString& value);
  [[nodiscard]] int number(const char* key, int fallback) const;
  void setNumber(const char* key, int value);
  [[nodiscard]] QByteArray bytes(const char* key) const;
  void setBytes(const char* key, const QByteArray& value);

  [[nodiscard]] QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void clearRecentFiles();

  [[nodiscard]] QList<SessionTab> tabs() const;
  void setTabs(const QList<SessionTab>& tabs, int current);
  [[nodiscard]] int currentTab() const;
  void sync() { file_.sync(); }

 private:
  QSettings file_;
};

}  // namespace wb
