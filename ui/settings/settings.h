// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <filesystem>
#include <memory>
#include <thread>

#include "ui/style/appearance.h"

namespace wb {

/// What the window remembers, in one file in the user's configuration folder. Only a thread of this class
/// reads and writes the file. Reading begins in the constructor, so that it is over by the time when the
/// first value is asked for; changes are written shortly after they were made.
class Settings {
 public:
  explicit Settings(const std::filesystem::path& folder);
  /// Writes what has not been written yet.
  ~Settings();
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  [[nodiscard]] ThemeChoice theme() const;
  void setTheme(ThemeChoice choice);
  [[nodiscard]] QString text(const char* key, const QString& fallback = {}) const;
  void setText(const char* key, const QString& value);
  [[nodiscard]] int number(const char* key, int fallback) const;
  void setNumber(const char* key, int value);
  [[nodiscard]] double real(const char* key, double fallback) const;
  void setReal(const char* key, double value);
  [[nodiscard]] QByteArray bytes(const char* key) const;
  void setBytes(const char* key, const QByteArray& value);

  [[nodiscard]] QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void clearRecentFiles();

 private:
  struct Store;
  [[nodiscard]] QVariant value(const QString& key) const;
  void set(const QString& key, const QVariant& value);

  std::shared_ptr<Store> store_;
  std::jthread thread_;
};

}  // namespace wb
