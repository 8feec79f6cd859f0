// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <filesystem>
#include <memory>
#include <thread>

#include "ui/style/appearance.h"

namespace wb {

struct SettingInfo;

/// What the window remembers, in one file in the user's configuration folder. Only a thread of this class
/// reads and writes the file. Reading begins in the constructor, so that it is over by the time when the
/// first value is asked for; changes are written shortly after they were made.
class Settings : public QObject {
  Q_OBJECT
 public:
  explicit Settings(const std::filesystem::path& folder);
  /// Writes what has not been written yet.
  ~Settings() override;
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

  /// A setting of the list; one that is missing or makes no sense has its standard value.
  [[nodiscard]] QVariant setting(const SettingInfo& setting) const;
  void setSetting(const SettingInfo& setting, const QVariant& value);
  [[nodiscard]] QStringList list(const char* key) const;
  void setList(const char* key, const QStringList& values);

  /// Waits until what was changed is in the file, for a second at most.
  void flush();

  /// What is wrong with the file, in a sentence for its user; "" when nothing is. What is in a file that
  /// cannot be read is kept beside it.
  [[nodiscard]] QString complaint() const;

  /// Whether saving a kernel runs it, and whether a pause in typing compiles and checks it.
  [[nodiscard]] bool runsOnSave() const { return number("run/onSave", 0) != 0; }
  void setRunsOnSave(bool runs) { setNumber("run/onSave", runs ? 1 : 0); }
  [[nodiscard]] bool checksWhileTyping() const { return number("run/whileTyping", 0) != 0; }
  void setChecksWhileTyping(bool checks) { setNumber("run/whileTyping", checks ? 1 : 0); }

  [[nodiscard]] QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void clearRecentFiles();

 signals:
  /// A value was changed here.
  void changed(const QString& key);

 private:
  struct Store;
  [[nodiscard]] QVariant value(const QString& key) const;
  void set(const QString& key, const QVariant& value);

  std::shared_ptr<Store> store_;
  std::jthread thread_;
};

}  // namespace wb
