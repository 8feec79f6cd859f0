// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/compare_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/results/cards_view.h"
#include "ui/results/comparison.h"
#include "ui/style/eliding_label.h"
#include "ui/tables/table_panel.h"

namespace wb {

CompareView::CompareView(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      names_(new ElidingLabel),
      cards_(new CardsView),
      operators_(new TablePanel(tr("Comparison"))) {
  names_->setObjectName(QStringLiteral("hint"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 6, 6, 2);
  head->setSpacing(4);
  head->addWidget(names_, 1);
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName(action->text());
    head->addWidget(button);
  }
  auto* cards = new QHBoxLayout;
  cards->setContentsMargins(10, 4, 10, 2);
  cards->addWidget(cards_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addLayout(cards);
  column->addWidget(operators_, 1);
}

void CompareView::setComparison(const ComparisonFigures& comparison) {
  names_->setText(
      tr("A: %1     B: %2").arg(QString::fromStdString(comparison.a), QString::fromStdString(comparison.b)));
  names_->setToolTip(names_->text());
  cards_->show();
  cards_->setCards(comparison.cards);
  operators_->setTable(comparison.operators);
}

void CompareView::setBaseline(const QString& name) {
  names_->setText(tr("Baseline: %1").arg(name));
  cards_->hide();
  operators_->setTable(std::make_shared<Table>());
  operators_->setEmptyText(tr("Run a kernel to compare it with %1.").arg(name));
}

QString CompareView::names() const {
  return names_->text();
}

}  // namespace wb
