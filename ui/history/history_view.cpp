// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_view.h"

#include <QAction>
#include <QDateTime>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/icon.h"
#include "ui/tables/table_panel.h"

namespace wb {

HistoryView::HistoryView(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), table_(new TablePanel(tr("History"))) {
  // Where there is too little room a tool bar puts the last ones behind a button; a row of buttons would keep
  // the whole window from becoming narrower.
  auto* head = new QToolBar;
  head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  for (QAction* action : actions) {
    head->addAction(action);
    head->widgetForAction(action)->setAccessibleName(action->text().remove(QLatin1Char('&')));
  }
  if (auto* more = head->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(icon(QStringLiteral("three-dots"), IconTone::secondary));
    more->setAccessibleName(tr("More of the history's commands"));
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head);
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
