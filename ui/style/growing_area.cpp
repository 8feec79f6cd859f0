// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/growing_area.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <algorithm>
#include <utility>

namespace wb {

/// In pixels.
constexpr int leastHeight = 72;

GrowingArea::GrowingArea(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(content);
  content->installEventFilter(this);
}

// The height of wrapped labels is known only for a given width.
QSize GrowingArea::sizeHint() const {
  int wanted = widget()->sizeHint().height();
  const QLayout* inside = widget()->layout();
  if (inside && inside->hasHeightForWidth())
    wanted = inside->heightForWidth(std::max(80, viewport()->width()));
  const int most = int(window()->height() * most_);
  return {QScrollArea::sizeHint().width(), wanted > most ? wholeRows(most) : wanted};
}

// A row whose words are cut in the middle of a line looks broken.
int GrowingArea::wholeRows(int most) const {
  const QLayout* rows = widget()->layout();
  if (!rows || rows->count() == 0) return most;
  int height = std::min(rows->itemAt(0)->geometry().bottom() + 1, most * 3 / 2);
  for (int i = 1; i < rows->count() && rows->itemAt(i)->geometry().bottom() < most; ++i)
    height = rows->itemAt(i)->geometry().bottom() + 1;
  return std::max(height, std::min(most, leastHeight));
}

void GrowingArea::setMost(double share) {
  if (std::exchange(most_, share) != share) fit();
}

void GrowingArea::fit() {
  const int height = sizeHint().height();
  if (height <= 0 || height == maximumHeight()) return;
  // A low window may take some of it, so that the window can become low at all.
  setMinimumHeight(std::min(height, leastHeight));
  setMaximumHeight(height);
  updateGeometry();
}

bool GrowingArea::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest)
    QMetaObject::invokeMethod(
        this, [this] { fit(); }, Qt::QueuedConnection);
  return QScrollArea::eventFilter(watched, event);
}

void GrowingArea::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fit();
}

}  // namespace wb
