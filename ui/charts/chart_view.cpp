// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLegend>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/fonts.h"

namespace wb {
namespace {

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

void ChartView::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  item_->moveEdges();
  layOut();
}

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && item_) refresh();
  QChartView::changeEvent(event);
}

}  // namespace wb
