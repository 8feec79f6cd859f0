// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_view.h"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/tables/table_panel.h"

namespace wb {

HistoryView::HistoryView(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), table_(new TablePanel(tr("History"))) {
  auto* head = new QHBoxLayout;
  head->setContentsMargins(6, 6, 6, 2);
  head->setSpacing(4);
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName(action->text().remove(QLatin1Char('&')));
    head->addWidget(button);
  }
  head->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(table_, 1);
  connect(table_, &TablePanel::selected, this, &HistoryView::selectionChanged);
  connect(table_, &TablePanel::activated, this, &HistoryView::activated);
}

void HistoryView::setRuns(std::vector<KeptRun> runs) {
  runs_ = std::move(runs);
  table_->setTable(std::make_shared<Table>(historyTable(runs_, QDateTime::currentMSecsSinceEpoch())));
  emit selectionChanged();
}

const KeptRun* HistoryView::selected() const {
  const auto at = std::ranges::find(runs_, table_->selectedId(), &KeptRun::id);
  return at == runs_.end() ? nullptr : &*at;
}

}  // namespace wb
