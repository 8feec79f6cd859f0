// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/compare_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/results/cards_view.h"
#include "ui/results/comparison.h"
#include "ui/style/eliding_label.h"
#include "ui/style/icon.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

/// In pixels. In a view that is lower, rows of the tables matter more than the words on cards.
constexpr int lowHeight = 560;

}  // namespace

CompareView::CompareView(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      head_(new QHBoxLayout),
      baselines_(new QComboBox),
      present_(new ElidingLabel),
      remove_(new QToolButton),
      cards_(new CardsView),
      operators_(new TablePanel(tr("Comparison by operator"))),
      cases_(new TablePanel(tr("Comparison by case"))) {
  baselines_->setAccessibleName(tr("Baseline"));
  baselines_->setToolTip(tr("The run that this one is held against"));
  baselines_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  baselines_->setMinimumContentsLength(8);  // a long name does not keep the page wide
  baselines_->setMaximumWidth(260);
  connect(baselines_, &QComboBox::activated, this, &CompareView::chosen);
  present_->setObjectName(QStringLiteral("hint"));
  present_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the baseline's name has the room
  remove_->setIcon(icon(QStringLiteral("x"), IconTone::secondary));
  remove_->setToolTip(tr("Forgets this baseline; its report stays in the history"));
  remove_->setAccessibleName(tr("Forget this baseline"));
  connect(remove_, &QToolButton::clicked, this, &CompareView::removeWanted);
  head_->setContentsMargins(10, 6, 6, 2);
  head_->setSpacing(4);
  head_->addWidget(baselines_);
  head_->addWidget(remove_);
  head_->addWidget(present_, 1);
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName(action->text());
    head_->addWidget(button);
    buttons_.append(button);
  }
  auto* cards = new QHBoxLayout;
  cards->setContentsMargins(10, 4, 10, 8);
  cards->addWidget(cards_);
  auto* tables = new QSplitter(Qt::Vertical);
  tables->setChildrenCollapsible(false);
  tables->addWidget(operators_);
  tables->addWidget(cases_);
  tables->setStretchFactor(0, 1);
  tables->setStretchFactor(1, 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head_);
  column->addLayout(cards);
  column->addWidget(tables, 1);
  operators_->hide();
}

void CompareView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  cards_->setShort(height() < lowHeight);
  fitHead();
}

void CompareView::fitHead() {
  const auto show = [this](Qt::ToolButtonStyle style) {
    for (QToolButton* button : buttons_) button->setToolButtonStyle(style);
  };
  show(Qt::ToolButtonTextBesideIcon);
  // The hint of the label itself is left out of that of the layout.
  if (head_->sizeHint().width() + present_->sizeHint().width() > width()) show(Qt::ToolButtonIconOnly);
}

void CompareView::setBaselines(const QStringList& names, int chosen) {
  baselines_->clear();
  baselines_->addItems(names);
  baselines_->setCurrentIndex(chosen);
  baselines_->setVisible(!names.isEmpty());
  remove_->setVisible(!names.isEmpty());
}

void CompareView::setComparison(const ComparisonFigures& comparison) {
  present_->setText(tr("is A; B is %1").arg(QString::fromStdString(comparison.b)));
  fitHead();
  cards_->show();
  cards_->setCards(comparison.cards);
  operators_->setTable(comparison.operators);
  // The one row of a single operator repeats the cards.
  operators_->setVisible(comparison.operators->rows.size() > 1);
  cases_->setTable(comparison.cases);
}

void CompareView::clearComparison() {
  present_->clear();
  fitHead();
  cards_->hide();
  operators_->hide();
  operators_->setTable(std::make_shared<Table>());
  cases_->setTable(std::make_shared<Table>());
  cases_->setEmptyText(baselines_->count() > 0
                           ? tr("Run a kernel to compare it with %1.").arg(baselines_->currentText())
                           : tr("No baseline. Pin this run, or compare with a saved report or a run of the "
                                "history."));
}

}  // namespace wb
