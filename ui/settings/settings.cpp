// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include <QFile>
#include <QHash>
#include <QSettings>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "ui/settings/setting_list.h"

namespace wb {
namespace {

constexpr int maxRecent = 12;
/// How long to wait for a slow disk; after that the window opens as if it were new.
constexpr std::chrono::milliseconds patience{250};
constexpr std::chrono::milliseconds writeDelay{200};
/// How long the end of the program may wait for a slow disk.
constexpr std::chrono::seconds lastPatience{1};
/// The version of the file's form. A newer one is read as far as it is understood, and never overwritten.
constexpr int fileVersion = 1;
const QString versionKey = QStringLiteral("version");
const QString recentKey = QStringLiteral("files/recent");

}  // namespace

struct Settings::Store {
  explicit Store(QString path) : file(std::move(path)) {}

  const QString file;
  std::mutex mutex;
  std::condition_variable_any wake;
  QHash<QString, QVariant> values;
  QHash<QString, QVariant> changed;  // these are not written yet; an invalid value removes its key
  QString complaint;
  bool isRead = false;
  bool hasWaited = false;
  bool isWriting = false;
  bool hurries = false;  // somebody waits for what is to be written

  QVariant get(const QString& key) {
    std::unique_lock lock(mutex);
    if (!isRead && !hasWaited) hasWaited = !wake.wait_for(lock, patience, [this] { return isRead; });
    return values.value(key);
  }

  // Says whether the value is another one now.
  bool set(const QString& key, const QVariant& value) {
    {
      const std::lock_guard lock(mutex);
      if (values.contains(key) && values[key] == value) return false;
      values[key] = value;
      changed[key] = value;
    }
    wake.notify_all();
    return true;
  }

  void read() {
    QSettings settings(file, QSettings::IniFormat);
    QHash<QString, QVariant> found;
    for (const QString& key : settings.allKeys())
      if (!key.isEmpty()) found[key] = settings.value(key);
    QString wrong;
    if (settings.status() == QSettings::FormatError) {
      const QString kept = file + QStringLiteral(".unreadable");
      QFile::remove(kept);
      QFile::copy(file, kept);
      wrong = QObject::tr(
                  "The settings in %1 cannot be read, so the standard ones are used. What the file held "
                  "is kept in %2.")
                  .arg(file, kept);
      found.clear();
    } else if (found.value(versionKey, fileVersion).toInt() > fileVersion) {
      wrong = QObject::tr(
                  "The settings in %1 were written by a newer Warpbench. What this one does not know "
                  "is left as it is.")
                  .arg(file);
    }
    {
      const std::lock_guard lock(mutex);
      complaint = std::move(wrong);
      for (auto it = changed.cbegin(); it != changed.cend(); ++it) found[it.key()] = it.value();
      values = std::move(found);
      isRead = true;
    }
    wake.notify_all();
  }

  // Writes only what changed here, since another window may have written the rest.
  void write(const QHash<QString, QVariant>& what) const {
    QSettings settings(file, QSettings::IniFormat);
    if (settings.status() == QSettings::FormatError) {
      QFile::remove(file);  // it was copied when it was read
      return write(what);
    }
    if (!settings.contains(versionKey)) settings.setValue(versionKey, fileVersion);
    for (auto it = what.cbegin(); it != what.cend(); ++it) {
      if (it.value().isValid())
        settings.setValue(it.key(), it.value());
      else
        settings.remove(it.key());
    }
  }

  void flush() {
    std::unique_lock lock(mutex);
    hurries = true;
    wake.notify_all();
    wake.wait_for(lock, lastPatience, [this] { return changed.isEmpty() && !isWriting; });
    hurries = false;
  }

  void work(const std::stop_token& stop) {
    read();
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, stop, [this] { return !changed.isEmpty(); });
      if (changed.isEmpty()) return;
      wake.wait_for(lock, stop, writeDelay, [this] { return hurries; });
      const QHash<QString, QVariant> what = std::exchange(changed, {});
      isWriting = true;
      lock.unlock();
      write(what);
      lock.lock();
      isWriting = false;
      wake.notify_all();
    }
  }
};

Settings::Settings(const std::filesystem::path& folder)
    : store_(std::make_shared<Store>(QString::fromStdString((folder / "window.ini").string()))),
      thread_([store = store_](const std::stop_token& stop) { store->work(stop); }) {}

Settings::~Settings() = default;

QVariant Settings::value(const QString& key) const {
  return store_->get(key);
}
void Settings::set(const QString& key, const QVariant& value) {
  if (store_->set(key, value)) emit changed(key);
}

QVariant Settings::setting(const SettingInfo& info) const {
  const QVariant standard = standardOf(info);
  switch (info.kind) {
    case SettingKind::flag:
    case SettingKind::whole:
      return number(info.name, standard.toInt());
    case SettingKind::real:
      return real(info.name, standard.toDouble());
    case SettingKind::choice:
      break;
  }
  return info.standardWord ? QVariant(text(info.name, standard.toString()))
                           : QVariant(number(info.name, standard.toInt()));
}

void Settings::setSetting(const SettingInfo& info, const QVariant& value) {
  set(QLatin1String(info.name), value);
}

void Settings::flush() {
  store_->flush();
}

QStringList Settings::list(const char* key) const {
  return value(QLatin1String(key)).toStringList();
}
void Settings::setList(const char* key, const QStringList& values) {
  set(QLatin1String(key), values);
}

QString Settings::complaint() const {
  (void)value(versionKey);  // waits for the file
  const std::lock_guard lock(store_->mutex);
  return store_->complaint;
}

ThemeChoice Settings::theme() const {
  return themeChoice(text("theme", QStringLiteral("system")));
}
void Settings::setTheme(ThemeChoice choice) {
  setText("theme", name(choice));
}

QString Settings::text(const char* key, const QString& fallback) const {
  const QVariant found = value(QLatin1String(key));
  return found.isValid() ? found.toString() : fallback;
}
void Settings::setText(const char* key, const QString& value) {
  set(QLatin1String(key), value);
}

int Settings::number(const char* key, int fallback) const {
  bool ok = false;
  const int found = value(QLatin1String(key)).toInt(&ok);
  if (!ok) return fallback;
  const SettingInfo* info = findSetting(QLatin1String(key));
  if (!info || info->kind == SettingKind::choice) return found;
  return std::clamp(found, int(info->least), int(info->most));
}
void Settings::setNumber(const char* key, int value) {
  set(QLatin1String(key), value);
}

double Settings::real(const char* key, double fallback) const {
  bool ok = false;
  const double found = value(QLatin1String(key)).toDouble(&ok);
  if (!ok || std::isnan(found)) return fallback;
  const SettingInfo* info = findSetting(QLatin1String(key));
  return info ? std::clamp(found, info->least, info->most) : found;
}
void Settings::setReal(const char* key, double value) {
  set(QLatin1String(key), value);
}

QByteArray Settings::bytes(const char* key) const {
  return value(QLatin1String(key)).toByteArray();
}
void Settings::setBytes(const char* key, const QByteArray& value) {
  set(QLatin1String(key), value);
}

QStringList Settings::recentFiles() const {
  return value(recentKey).toStringList();
}

void Settings::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > maxRecent) files.removeLast();
  set(recentKey, files);
}

void Settings::clearRecentFiles() {
  set(recentKey, {});
}

}  // namespace wb
