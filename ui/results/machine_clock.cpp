// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/machine_clock.h"

#include <QDateTime>

namespace wb {

ReadersClock clockOfThisMachine() {
  const QDateTime now = QDateTime::currentDateTime();
  return {now.date().toString(Qt::ISODate).toStdString(), now.offsetFromUtc() / 60, {}};
}

}  // namespace wb
