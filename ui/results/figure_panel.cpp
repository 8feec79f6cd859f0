// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/figure_panel.h"

#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/charts/plane_view.h"
#include "ui/profile/timeline_view.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QScrollArea* scrolling(QWidget* content) {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  return scroll;
}

}  // namespace

FigurePanel::FigurePanel(const FigureInfo& info, QWidget* parent) : QWidget(parent), info_(info) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  switch (info.kind) {
    case FigureKind::cards:
    case FigureKind::maps:  // the details show them
      break;
    case FigureKind::table:
      column->addWidget(table_ = new TablePanel(qt(info.title)));
      table_->setObjectName(qt(info.id));
      setFocusProxy(table_);
      break;
    case FigureKind::bars:
      bars_ = new ChartView;
      bars_->setAccessibleName(qt(info.title));
      column->addWidget(buildCard(bars_, true));
      break;
    case FigureKind::plane:
      column->addWidget(buildCard(plane_ = new PlaneView, false));
      break;
    case FigureKind::time:
      column->addWidget(buildCard(time_ = new TimelineView, true));
      break;
  }
}

QWidget* FigurePanel::buildCard(QWidget* chart, bool scrolls) {
  auto* card = new QFrame;
  card->setObjectName(QStringLiteral("chartCard"));
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(6, 9, 6, 6);
  column->setSpacing(4);
  title_ = new QLabel;
  title_->setObjectName(QStringLiteral("chartTitle"));
  title_->setContentsMargins(8, 0, 8, 0);
  title_->setWordWrap(true);
  empty_ = new QLabel;
  empty_->setObjectName(QStringLiteral("hint"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(24);
  chart_ = scrolls ? scrolling(chart) : chart;
  column->addWidget(title_);
  column->addWidget(chart_, 1);
  column->addWidget(empty_, 1);
  if (!time_) return card;
  auto* how = new QLabel(tr("The wheel zooms, dragging moves, a double click fits  ·  keys  ← →  +  −  0"));
  how->setObjectName(QStringLiteral("muted"));
  how->setContentsMargins(8, 0, 8, 4);
  column->addWidget(how);
  return card;
}

void FigurePanel::setFigure(std::shared_ptr<const Figure> figure) {
  if (!figure) return;
  if (table_)
    table_->setTable(std::shared_ptr<const Table>(figure, std::get_if<Table>(&*figure)));
  else
    std::visit([this](const auto& one) { show(one); }, *figure);
}

template <class Chart>
void FigurePanel::showTitle(const Chart& chart) {
  title_->setText(qt(chart.title));
  empty_->setText(qt(chart.empty));
  empty_->setVisible(!chart.empty.empty());
  chart_->setVisible(chart.empty.empty());
}

void FigurePanel::show(const BarChart& chart) {
  showTitle(chart);
  bars_->setBars(chart);
  if (chart.linear) bars_->setToolTip(qt(chart.axis));
}

void FigurePanel::show(const PlaneChart& chart) {
  showTitle(chart);
  plane_->setPlane(chart);
}

void FigurePanel::show(const TimeChart& chart) {
  showTitle(chart);
  time_->setChart(chart);
}

}  // namespace wb
