// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/run_place.h"

#include <QCoreApplication>
#include <QStringList>

namespace wb {

QString titleOf(const RunPlace& place) {
  QStringList names;
  for (const std::string& device : place.devices)
    names << (device == "cpu" ? QStringLiteral("CPU") : QString::fromStdString(device));
  for (const RunTarget& target : place.targets) names << QString::fromStdString(titleOf(target));
  names.removeDuplicates();  // each of several workers has the CPU
  if (names.size() < 2) return names.join(QString());
  const QString last = names.takeLast();
  return QCoreApplication::translate("wb", "%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

}  // namespace wb
