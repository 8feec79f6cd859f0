// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/environments.h"

#include <QStringList>

#include "ui/settings/settings.h"

namespace wb {
namespace {

const char* const listKey = "python/environments";

}  // namespace

QList<Environment> environments(const Settings& settings) {
  QList<Environment> all;
  for (const QString& line : settings.list(listKey)) {
    const QStringList parts = line.split(QLatin1Char('\t'));
    if (parts.size() == 2 && !parts[0].isEmpty()) all.push_back({parts[0], parts[1]});
  }
  return all;
}

void setEnvironments(Settings& settings, const QList<Environment>& environments) {
  QStringList lines;
  for (const Environment& each : environments)
    lines.push_back(QString(each.name).replace(QLatin1Char('\t'), QLatin1Char(' ')) + QLatin1Char('\t') +
                    each.python);
  settings.setList(listKey, lines);
}

QString pythonFor(const Settings& settings, const QString& name) {
  if (!name.isEmpty())
    for (const Environment& each : environments(settings))
      if (each.name == name) return each.python;
  return settings.text("python/path");
}

}  // namespace wb
