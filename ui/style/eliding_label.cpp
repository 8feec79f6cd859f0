// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/eliding_label.h"

#include <QPainter>

namespace wb {

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QRect room = contentsRect();
  const int wanted = fontMetrics().horizontalAdvance(text());
  if (smallest_ > 0 && wanted > room.width()) {
    QFont smaller = font();
    smaller.setPixelSize(std::max(smallest_, fontInfo().pixelSize() * room.width() / wanted));
    painter.setFont(smaller);
  }
  const QString shown = painter.fontMetrics().elidedText(text(), Qt::ElideRight, room.width());
  painter.drawText(room, int(alignment()) | Qt::TextSingleLine, shown);
}

}  // namespace wb
