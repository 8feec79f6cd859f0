// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/figure_panel.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/charts/drawing.h"
#include "ui/style/eliding_label.h"
#include "ui/tables/table_panel.h"

namespace wb {

FigurePanel::FigurePanel(const FigureInfo& info, QWidget* parent) : QWidget(parent), info_(info) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  // The details show maps, and cards have a view of their own.
  if (info.kind == FigureKind::cards || info.kind == FigureKind::maps) return;
  if (info.kind == FigureKind::table) {
    column->addWidget(table_ = new TablePanel(qtText(info.title)));
    table_->setObjectName(qtText(info.id));
    setFocusProxy(table_);
    return;
  }
  column->addWidget(buildCard(), 1);
  setFocusProxy(chart_);
}

QWidget* FigurePanel::buildCard() {
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
  chart_ = new ChartView;
  chart_->setAccessibleName(qtText(info_.title));
  const QString wheel =
      info_.kind == FigureKind::bars ? tr("Wheel scrolls, Ctrl+wheel zooms") : tr("Wheel zooms");
  how_ = new ElidingLabel(info_.kind == FigureKind::time
                              ? tr("Click or Shift+drag shows that part alone, Esc all  ·  wheel zooms")
                              : tr("%1  ·  drag moves  ·  double click shows all").arg(wheel));
  how_->setToolTip(tr("%1  ·  by keyboard + and − zoom, 0 shows all").arg(how_->text()));
  how_->setObjectName(QStringLiteral("muted"));
  how_->setContentsMargins(8, 0, 8, 2);
  column->addWidget(title_);
  column->addWidget(chart_, 1);
  column->addWidget(empty_, 1);
  column->addWidget(how_);
  empty_->setText(tr("Nothing to draw yet. Run a kernel with F5."));
  chart_->hide();
  how_->hide();
  return card;
}

void FigurePanel::setFigure(std::shared_ptr<const Figure> figure) {
  if (!figure) return;
  if (table_) return table_->setTable(std::shared_ptr<const Table>(figure, std::get_if<Table>(&*figure)));
  if (!chart_) return;
  std::visit(
      [this](const auto& one) {
        if constexpr (requires { one.title; }) {
          title_->setText(qtText(one.title));
          chart_->setAccessibleName(qtText(one.title));
          empty_->setText(qtText(one.empty));
        }
      },
      *figure);
  const bool isEmpty = !whyEmpty(*figure).empty();
  empty_->setVisible(isEmpty);
  chart_->setVisible(!isEmpty);
  how_->setVisible(!isEmpty && info_.kind != FigureKind::stack && info_.kind != FigureKind::flow);
  // A card that goes on below a few rows looks unfinished.
  constexpr std::size_t fewRows = 16;
  const bool hasRows =
      info_.kind == FigureKind::bars || info_.kind == FigureKind::stack || info_.kind == FigureKind::time;
  const bool isLow = hasRows && !isEmpty && sizeOf(*figure) <= fewRows;
  layout()->setAlignment(chart_->parentWidget(), isLow ? Qt::AlignTop : Qt::Alignment());
  chart_->setFigure(std::move(figure));
}

}  // namespace wb
