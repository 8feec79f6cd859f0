// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/eliding_label.h"

#include <QPainter>

namespace wb {

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const int wanted = fontMetrics().horizontalAdvance(text());
  if (smallest_ > 0 && wanted > width()) {
    QFont smaller = font();
    smaller.setPixelSize(std::max(smallest_, fontInfo().pixelSize() * width() / wanted));
    painter.setFont(smaller);
  }
  const QString shown = painter.fontMetrics().elidedText(text(), Qt::ElideRight, width());
  painter.drawText(rect(), int(alignment()) | Qt::TextSingleLine, shown);
}

}  // namespace wb
