// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include <QChart>
#include <QContextMenuEvent>
#include <QEvent>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLegend>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart_actions.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

/// The part of a scale from one share of it to another.
Scale part(const Scale& scale, double from, double to) {
  return {scale.valueAt(from), scale.valueAt(to), scale.logarithmic};
}

/// A scale zoomed around a share of it, which stays within the whole.
Scale zoomed(const Scale& scale, const Scale& home, double factor, double around, double closest) {
  const double width = (home.at(scale.high) - home.at(scale.low)) * factor;
  if (width >= 1) return home;
  const double kept = std::max(closest, width);
  const double at = home.at(scale.valueAt(around));
  const double from = std::clamp(at - around * kept, 0.0, 1 - kept);
  return part(home, from, from + kept);
}

Scale moved(const Scale& scale, const Scale& home, double by) {
  const double from = home.at(scale.low), width = home.at(scale.high) - from;
  if (width >= 1) return home;
  const double to = std::clamp(from + by * width, 0.0, 1 - width);
  return part(home, to, to + width);
}

const std::shared_ptr<const Figure>& nothing() {
  static const auto figure = std::make_shared<const Figure>(BarChart{});
  return figure;
}

}  // namespace

/// What is drawn on the scene of the chart, which carries place, background and theme.
class ChartItem : public QGraphicsItem {
 public:
  explicit ChartItem(ChartView& view) : QGraphicsItem(view.chart()), view_(view) { setZValue(10); }
  [[nodiscard]] QRectF boundingRect() const override { return view_.chart()->rect(); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
    if (view_.drawing_) view_.drawing_->paint(*painter, view_.canvas());
    if (view_.showsFocus_) paintFocus(*painter);
  }
  void moveEdges() { prepareGeometryChange(); }

 private:
  void paintFocus(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(view_.canvas().theme.accent);
    painter.drawRoundedRect(boundingRect().adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }

  ChartView& view_;
};

ChartView::ChartView(QWidget* parent)
    : QChartView(parent), figure_(nothing()), item_(nullptr), scroll_(new QScrollBar(Qt::Vertical, this)) {
  setObjectName(QStringLiteral("chart"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setBackgroundBrush(Qt::NoBrush);
  QChart* shown = chart();
  shown->setAnimationOptions(QChart::NoAnimation);
  shown->legend()->hide();
  shown->layout()->setContentsMargins(0, 0, 0, 0);
  shown->setBackgroundVisible(false);
  item_ = new ChartItem(*this);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setAccessibleName(tr("Rows of the chart"));
  scroll_->hide();
  connect(scroll_, &QScrollBar::valueChanged, this, &ChartView::refresh);
}

ChartView::~ChartView() = default;

void ChartView::setFigure(std::shared_ptr<const Figure> figure) {
  if (!figure || *figure == *figure_) return;
  const bool wasZoomed = isZoomed();
  const int rowsBefore = drawing_ ? drawing_->rows() : 0;
  const std::size_t kindBefore = figure_->index();
  drawing_.reset();
  figure_ = std::move(figure);
  drawing_ = drawingOf(*figure_);
  highlighted_ = -1;
  chosen_.reset();
  // A chart that grows while a run goes on keeps what the user looks at.
  if (!wasZoomed || kindBefore != figure_->index()) resetZoom();
  if (drawing_ && drawing_->rows() != rowsBefore) updateGeometry();
  setAccessibleDescription(drawing_ ? tr("%n marks", nullptr, drawing_->marks()) : QString());
  layOut();
}

Canvas ChartView::canvas() const {
  const QSizeF size = item_->boundingRect().size();
  const QMarginsF margins = drawing_->margins(size);
  QRectF all(QPointF(0, 0), size);
  if (scroll_->isVisible()) all.setWidth(all.width() - scroll_->width());
  QRectF plot = all.marginsRemoved(margins);
  const double rowHeight = drawing_->rowHeight(size);
  // The plot of a few rows ends with them.
  if (drawing_->rows() > 0) plot.setHeight(std::min(plot.height(), drawing_->rows() * rowHeight));
  return {.theme = themeOf(palette()),
          .all = all,
          .plot = plot,
          .x = x_,
          .y = y_,
          .rowHeight = rowHeight,
          .scrolled = double(scroll_->isVisible() ? scroll_->value() : 0),
          .highlighted = highlighted_,
          .chosen = chosen_};
}

QPointF ChartView::toChart(QPointF position) const {
  return item_->mapFromScene(mapToScene(position.toPoint()));
}

/// The rows that have no room are scrolled, below an axis that stays.
void ChartView::layOut() {
  if (!drawing_) return scroll_->hide();
  const QSizeF size = item_->boundingRect().size();
  const QMarginsF margins = drawing_->margins(size);
  const double room = size.height() - margins.top() - margins.bottom();
  const double needed = drawing_->rows() * drawing_->rowHeight(size);
  const bool scrolls = drawing_->rows() > 0 && needed > room + 1;
  scroll_->setVisible(scrolls);
  if (scrolls) {
    const int width = scroll_->sizeHint().width();
    scroll_->setGeometry(this->width() - width, int(margins.top()), width, std::max(10, int(room)));
    scroll_->setRange(0, int(std::ceil(needed - room)));
    scroll_->setPageStep(std::max(1, int(room)));
    scroll_->setSingleStep(int(drawing_->rowHeight(size)));
  }
  refresh();
}

void ChartView::refresh() {
  item_->update();
  viewport()->update();
}

bool ChartView::isZoomed() const {
  return drawing_ && std::pair(x_, y_) != drawing_->home();
}

void ChartView::resetZoom() {
  if (!drawing_) return;
  std::tie(x_, y_) = drawing_->home();
  refresh();
}

void ChartView::zoom(double factor, QPointF around) {
  if (!drawing_) return;
  const Canvas now = canvas();
  const QPointF at = toChart(around);
  const auto [homeX, homeY] = drawing_->home();
  const double shareX = std::clamp((at.x() - now.plot.left()) / now.plot.width(), 0.0, 1.0);
  const double shareY = std::clamp((now.plot.bottom() - at.y()) / now.plot.height(), 0.0, 1.0);
  if (drawing_->zoomsX()) x_ = zoomed(x_, homeX, factor, shareX, drawing_->closest());
  if (drawing_->zoomsY()) y_ = zoomed(y_, homeY, factor, shareY, drawing_->closest());
  refresh();
}

void ChartView::moveBy(QPointF pixels) {
  const Canvas now = canvas();
  const auto [homeX, homeY] = drawing_->home();
  x_ = moved(x_, homeX, -pixels.x() / std::max(1.0, now.plot.width()));
  if (drawing_->zoomsY()) y_ = moved(y_, homeY, pixels.y() / std::max(1.0, now.plot.height()));
  if (scroll_->isVisible()) scroll_->setValue(scroll_->value() - int(pixels.y()));
  refresh();
}

void ChartView::highlight(const std::string& rowId) {
  if (!drawing_) return;
  for (int i = 0; i < drawing_->marks(); ++i) {
    if (drawing_->rowId(i) != rowId) continue;
    setHighlighted(i);
    return bringIntoView(i);
  }
  setHighlighted(-1);  // a row that has no mark leaves none lit
}

void ChartView::setChosen(const std::optional<Stretch>& chosen) {
  if (std::exchange(chosen_, chosen) != chosen) refresh();
}

void ChartView::choose(const std::optional<Stretch>& stretch) {
  if (stretch == chosen_) return;
  setChosen(stretch);
  emit stretchChosen(stretch);
}

void ChartView::setHighlighted(int mark) {
  if (mark == highlighted_) return;
  highlighted_ = mark;
  refresh();
}

void ChartView::bringIntoView(int mark) {
  if (!scroll_->isVisible() || mark < 0) return;
  const Canvas now = canvas();
  const QRectF rect = drawing_->markRect(mark, now);
  const double half = now.rowHeight / 2;
  if (rect.center().y() - half < now.plot.top())
    scroll_->setValue(scroll_->value() - int(now.plot.top() - rect.center().y() + half));
  else if (rect.center().y() + half > now.plot.bottom())
    scroll_->setValue(scroll_->value() + int(rect.center().y() + half - now.plot.bottom()));
}

QRect ChartView::markRect(int mark) const {
  return mapFromScene(item_->mapToScene(drawing_->markRect(mark, canvas())).boundingRect()).boundingRect();
}

QSize ChartView::sizeHint() const {
  if (!drawing_ || drawing_->rows() == 0) return {460, 320};
  const QSizeF guess(width() > 200 ? width() : 460, 300);
  const QMarginsF margins = drawing_->margins(guess);
  const double rows = std::clamp(drawing_->rows(), 2, 16) * drawing_->rowHeight(guess);
  return {460, int(margins.top() + rows + margins.bottom() + 2)};
}

ChartPicture ChartView::picture() const {
  ChartPicture picture;
  if (!drawing_) return picture;
  const QSizeF seen = item_->boundingRect().size();
  QSizeF size(std::max(480.0, seen.width()), std::max(200.0, seen.height()));
  const QMarginsF margins = drawing_->margins(size);
  if (drawing_->rows() > 0)
    size.setHeight(margins.top() + margins.bottom() + drawing_->rows() * drawing_->rowHeight(size));
  picture.title = std::visit(
      [](const auto& one) {
        if constexpr (requires { one.title; })
          return qtText(one.title);
        else
          return QString();
      },
      *figure_);
  picture.size = size.toSize();
  // The drawing points into the figure, so both are kept as long as the picture.
  picture.draw = [figure = figure_, x = x_, y = y_, size](QPainter& painter) {
    const std::unique_ptr<Drawing> drawing = drawingOf(*figure);
    const QRectF all(QPointF(0, 0), size);
    drawing->paint(painter, {lightTheme(), all, all.marginsRemoved(drawing->margins(size)), x, y,
                             drawing->rowHeight(size), 0, -1});
  };
  return picture;
}

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

void ChartView::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  item_->moveEdges();
  layOut();
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

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && item_) refresh();
  QChartView::changeEvent(event);
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillChartMenu(*menu, *this);
  menu->popup(event->globalPos());
}

}  // namespace wb
