// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icon_label.h"

#include <QPainter>
#include <utility>

namespace wb {

IconLabel::IconLabel(int size, QIcon icon, QWidget* parent)
    : QWidget(parent), size_(size), icon_(std::move(icon)) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void IconLabel::setIcon(const QIcon& icon) {
  icon_ = icon;
  update();
}

QSize IconLabel::sizeHint() const {
  return QSize(size_, size_).grownBy(contentsMargins());
}

void IconLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  icon_.paint(&painter, contentsRect());
}

}  // namespace wb
