// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

namespace wb {
namespace {

constexpr int maxRecent = 12;
const QString recentKey = QStringLiteral("files/recent");
const QString tabsKey = QStringLiteral("session/tabs");

}  // namespace

Settings::Settings(const std::filesystem::path& folder)
    : file_(QString::fromStdString((folder / "window.ini").string()), QSettings::IniFormat) {}

ThemeChoice Settings::theme() const {
  return themeChoice(text("theme", QStringLiteral("system")));
}
void Settings::setTheme(ThemeChoice choice) {
  setText("theme", name(choice));
}

QString Settings::text(const char* key, const QString& fallback) const {
  return file_.value(QLatin1String(key), fallback).toString();
}
void Settings::setText(const char* key, const QString& value) {
  file_.setValue(QLatin1String(key), value);
}

int Settings::number(const char* key, int fallback) const {
  bool ok = false;
  const int value = file_.value(QLatin1String(key), fallback).toInt(&ok);
  return ok ? value : fallback;
}
void Settings::setNumber(const char* key, int value) {
  file_.setValue(QLatin1String(key), value);
}

QByteArray Settings::bytes(const char* key) const {
  return file_.value(QLatin1String(key)).toByteArray();
}
void Settings::setBytes(const char* key, const QByteArray& value) {
  file_.setValue(QLatin1String(key), value);
}

QStringList Settings::recentFiles() const {
  return file_.value(recentKey).toStringList();
}

void Settings::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > maxRecent) files.removeLast();
  file_.setValue(recentKey, files);
}

void Settings::clearRecentFiles() {
  file_.remove(recentKey);
}

QList<SessionTab> Settings::tabs() const {
  QList<SessionTab> tabs;
  for (const QString& line : file_.value(tabsKey).toStringList()) {
    const QStringList parts = line.split(QLatin1Char('\t'));
    if (parts.size() == 3) tabs.push_back({parts[0], parts[1].toInt(), parts[2].toInt()});
  }
  return tabs;
}

void Settings::setTabs(const QList<SessionTab>& tabs, int current) {
  QStringList lines;
  for (const SessionTab& tab : tabs)
    lines.push_back(QStringLiteral("%1\t%2\t%3").arg(tab.path).arg(tab.line).arg(tab.column));
  file_.setValue(tabsKey, lines);
  setNumber("session/current", current);
}

int Settings::currentTab() const {
  return number("session/current", 0);
}

}  // namespace wb
