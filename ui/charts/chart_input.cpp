// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do with a chart.
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart_actions.h"
#include "ui/charts/chart_view.h"

namespace wb {

void ChartView::showWords(QPoint globalPosition) {
  if (highlighted_ < 0) return QToolTip::hideText();
  const QString words = drawing_->words(highlighted_).toHtmlEscaped();
  QToolTip::showText(
      globalPosition + QPoint(14, 14),
      QStringLiteral("<qt>%1</qt>").arg(QString(words).replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
      this);
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  if (!drawing_) return;
  if (isChoosing_)
    return setChosen(drawing_->stretchBetween(toChart(pressedAt_), toChart(event->position()), canvas()));
  if (isPressed_ && !isDragging_ && (event->position() - pressedAt_).manhattanLength() > 5 &&
      (isZoomed() || scroll_->isVisible())) {
    isDragging_ = true;
    setCursor(Qt::ClosedHandCursor);
  }
  if (isDragging_) {
    moveBy(event->position() - pressedAt_);
    pressedAt_ = event->position();
    return;
  }
  setHighlighted(drawing_->markAt(toChart(event->position()), canvas()));
  showWords(event->globalPosition().toPoint());
}

void ChartView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  isPressed_ = true;
  pressedAt_ = event->position();
  isChoosing_ = drawing_ && event->modifiers() & Qt::ShiftModifier &&
                drawing_->stretchBetween(toChart(pressedAt_), toChart(pressedAt_), canvas());
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
  const bool wasClick = isPressed_ && !isDragging_;
  isPressed_ = isDragging_ = false;
  unsetCursor();
  if (std::exchange(isChoosing_, false) && chosen_ && event->position() != pressedAt_)
    return emit stretchChosen(chosen_);
  if (!drawing_ || !wasClick || event->button() != Qt::LeftButton) return;
  const int mark = drawing_->markAt(toChart(event->position()), canvas());
  setHighlighted(mark);
  choose(mark >= 0 ? drawing_->stretchOf(mark) : std::nullopt);
  if (mark >= 0) emit picked(QString::fromStdString(drawing_->rowId(mark)), drawing_->place(mark));
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!drawing_) return;
  const int mark = drawing_->markAt(toChart(event->position()), canvas());
  if (mark < 0) return resetZoom();
  if (const auto close = drawing_->closeUp(mark)) {
    x_ = *close;
    return refresh();
  }
  emit activated(QString::fromStdString(drawing_->rowId(mark)), drawing_->place(mark));
}

void ChartView::leaveEvent(QEvent* event) {
  if (!hasFocus()) setHighlighted(-1);
  QChartView::leaveEvent(event);
}

void ChartView::step(int by) {
  const int count = drawing_->marks();
  if (count == 0) return;
  const int next = highlighted_ < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(highlighted_ + by, 0, count - 1);
  setHighlighted(next);
  bringIntoView(next);
  showWords(mapToGlobal(markRect(next).bottomRight()));
  emit picked(QString::fromStdString(drawing_->rowId(next)), drawing_->place(next));
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  if (!drawing_) return QChartView::keyPressEvent(event);
  const QPointF middle = QRectF(rect()).center();
  const bool isMoving = event->modifiers() & Qt::ShiftModifier && isZoomed();
  const double far = 40;
  switch (event->key()) {
    case Qt::Key_Right:
      return isMoving ? moveBy({-far, 0}) : step(1);
    case Qt::Key_Down:
      return isMoving ? moveBy({0, -far}) : step(1);
    case Qt::Key_Left:
      return isMoving ? moveBy({far, 0}) : step(-1);
    case Qt::Key_Up:
      return isMoving ? moveBy({0, far}) : step(-1);
    case Qt::Key_PageDown:
      return scroll_->triggerAction(QAbstractSlider::SliderPageStepAdd);
    case Qt::Key_PageUp:
      return scroll_->triggerAction(QAbstractSlider::SliderPageStepSub);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(0.7, middle);
    case Qt::Key_Minus:
      return zoom(1 / 0.7, middle);
    case Qt::Key_0:
    case Qt::Key_Home:
      return resetZoom();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (highlighted_ >= 0) choose(drawing_->stretchOf(highlighted_));
      if (highlighted_ >= 0)
        emit activated(QString::fromStdString(drawing_->rowId(highlighted_)), drawing_->place(highlighted_));
      return;
    case Qt::Key_Escape:
      if (chosen_) return choose({});
      [[fallthrough]];
    default:
      QChartView::keyPressEvent(event);
  }
}

void ChartView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  event->accept();
  if (!drawing_ || (turned.x() == 0 && turned.y() == 0)) return;
  if (scroll_->isVisible() && !(event->modifiers() & Qt::ControlModifier)) {
    scroll_->setValue(scroll_->value() - turned.y() * scroll_->singleStep() * 3 / 120);
    return;
  }
  if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y()))
    return moveBy({double(turned.x() != 0 ? turned.x() : turned.y()), 0});
  zoom(std::pow(0.85, turned.y() / 120.0), event->position());
}

void ChartView::focusInEvent(QFocusEvent* event) {
  QChartView::focusInEvent(event);
  showsFocus_ = event->reason() != Qt::MouseFocusReason;  // whoever clicks knows where
  refresh();
}

void ChartView::focusOutEvent(QFocusEvent* event) {
  QChartView::focusOutEvent(event);
  showsFocus_ = false;
  refresh();
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillChartMenu(*menu, *this);
  menu->popup(event->globalPos());
}

}  // namespace wb
