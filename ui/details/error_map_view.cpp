// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/error_map_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr double largestCell = 18, margin = 3;

QColor colourOf(int shade, const Theme& theme) {
  if (shade == 4) return theme.text;
  QColor colour = theme.bad;
  constexpr float strengths[] = {0, 0.4f, 0.7f, 1};
  colour.setAlphaF(strengths[shade]);
  return colour;
}

}  // namespace

ErrorMapView::ErrorMapView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("errorMap"));
  setAccessibleName(tr("Map of the wrong elements"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ErrorMapView::setMap(const CellMap& map) {
  if (map == map_) return;
  map_ = map;
  setSlice({});
}

void ErrorMapView::setSlice(const std::vector<std::int64_t>& at) {
  at_ = at;
  slice_ = map_.letters.empty() ? MapSlice{0, 0, {}} : sliceOf(map_, at_);
  chosen_ = {-1, -1};
  setAccessibleDescription(QString::fromStdString(map_.words));
  update();
}

QString ErrorMapView::cellWords() const {
  if (chosen_.x() < 0) return {};
  return QString::fromStdString(cellText(map_, at_, chosen_.y(), chosen_.x()));
}

QSize ErrorMapView::sizeHint() const {
  return {260, 180};
}
QSize ErrorMapView::minimumSizeHint() const {
  return {120, 60};
}

// Cells are squares where there is room; a map that is much longer than high is stretched.
QRectF ErrorMapView::area() const {
  const QRectF whole = QRectF(rect()).adjusted(margin, margin, -margin, -margin);
  if (slice_.rows <= 0 || slice_.columns <= 0) return {};
  const double wide = std::min(whole.width() / double(slice_.columns), largestCell);
  const double high = std::min(whole.height() / double(slice_.rows), largestCell);
  const double side = std::min(wide, high);
  const double cellWidth = wide > 3 * side ? 3 * side : wide, cellHeight = high > 3 * side ? 3 * side : high;
  const bool square = cellWidth < 1.5 * cellHeight && cellHeight < 1.5 * cellWidth;
  return {whole.left(), whole.top(), double(slice_.columns) * (square ? side : cellWidth),
          double(slice_.rows) * (square ? side : cellHeight)};
}

QPoint ErrorMapView::cellAt(QPointF point) const {
  const QRectF in = area();
  if (!in.contains(point)) return {-1, -1};
  return {int((point.x() - in.left()) / in.width() * double(slice_.columns)),
          int((point.y() - in.top()) / in.height() * double(slice_.rows))};
}

void ErrorMapView::choose(QPoint cell) {
  if (slice_.rows <= 0 || slice_.columns <= 0) return;
  chosen_ = {std::clamp(cell.x(), 0, int(slice_.columns) - 1), std::clamp(cell.y(), 0, int(slice_.rows) - 1)};
  update();
  setAccessibleDescription(cellWords());
  emit cellChosen(chosen_.y(), chosen_.x());
}

void ErrorMapView::mousePressEvent(QMouseEvent* event) {
  const QPoint cell = cellAt(event->position());
  if (event->button() == Qt::LeftButton && cell.x() >= 0) choose(cell);
}

void ErrorMapView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint cell = cellAt(event->position());
  const std::string words = cell.x() < 0 ? std::string() : cellText(map_, at_, cell.y(), cell.x());
  QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14), QString::fromStdString(words), this);
}

void ErrorMapView::keyPressEvent(QKeyEvent* event) {
  const QPoint from = chosen_.x() < 0 ? QPoint(0, 0) : chosen_;
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(from - QPoint(1, 0));
    case Qt::Key_Right:
      return choose(chosen_.x() < 0 ? from : from + QPoint(1, 0));
    case Qt::Key_Up:
      return choose(from - QPoint(0, 1));
    case Qt::Key_Down:
      return choose(chosen_.x() < 0 ? from : from + QPoint(0, 1));
    case Qt::Key_Home:
      return choose({0, from.y()});
    case Qt::Key_End:
      return choose({int(slice_.columns) - 1, from.y()});
    default:
      QWidget::keyPressEvent(event);
  }
}

void ErrorMapView::paintEvent(QPaintEvent*) {
  const QRectF in = area();
  if (in.isEmpty()) return;
  const Theme& theme = themeOf(palette());
  QPainter painter(this);
  painter.fillRect(in, theme.raised);
  const double width = in.width() / double(slice_.columns), height = in.height() / double(slice_.rows);
  const auto box = [&](std::int64_t row, std::int64_t column, std::int64_t count) {
    // Edges on whole pixels of the screen leave no seams between neighbours.
    const double scale = devicePixelRatioF();
    const auto snap = [scale](double value) { return std::round(value * scale) / scale; };
    const double left = snap(in.left() + double(column) * width), top = snap(in.top() + double(row) * height);
    return QRectF(QPointF(left, top), QPointF(snap(in.left() + double(column + count) * width),
                                              snap(in.top() + double(row + 1) * height)));
  };
  for (std::int64_t row = 0; row < slice_.rows; ++row)
    for (std::int64_t column = 0; column < slice_.columns;) {
      const char letter = slice_.at(row, column);
      std::int64_t end = column + 1;
      while (end < slice_.columns && shadeOf(slice_.at(row, end)) == shadeOf(letter) &&
             (slice_.at(row, end) == ' ') == (letter == ' '))
        ++end;
      if (letter == ' ')
        painter.fillRect(box(row, column, end - column), theme.surface);
      else if (shadeOf(letter) > 0)
        painter.fillRect(box(row, column, end - column), colourOf(shadeOf(letter), theme));
      column = end;
    }
  if (width >= 7 && height >= 7) {
    painter.setPen(theme.surface);
    for (std::int64_t row = 1; row < slice_.rows; ++row)
      painter.drawLine(box(row, 0, 1).topLeft(), box(row, slice_.columns - 1, 1).topRight());
    for (std::int64_t column = 1; column < slice_.columns; ++column)
      painter.drawLine(box(0, column, 1).topLeft(), box(slice_.rows - 1, column, 1).bottomLeft());
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(hasFocus() ? theme.accent : theme.border);
  painter.drawRect(in.adjusted(-0.5, -0.5, 0.5, 0.5));
  if (chosen_.x() >= 0) {
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(box(chosen_.y(), chosen_.x(), 1).adjusted(-1, -1, 1, 1));
  }
}

}  // namespace wb
