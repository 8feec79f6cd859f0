// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/eliding_label.h"

#include <QPainter>

namespace wb {

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
  painter.drawText(rect(), int(alignment()) | Qt::TextSingleLine, shown);
}

}  // namespace wb
