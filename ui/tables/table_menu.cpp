// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_menu.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

#include "ui/tables/table_columns.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("TablePanel", text);
}

QString titleOf(const TablePanel& panel, int column) {
  return QString::fromStdString(panel.model().table().columns[size_t(column)].title);
}

int columnCount(const TablePanel& panel) {
  return int(panel.model().table().columns.size());
}

void addSorting(QMenu& menu, TablePanel& panel, int column) {
  QHeaderView* header = panel.view().horizontalHeader();
  const bool isNow = panel.model().isSorted() && header->sortIndicatorSection() == column;
  const std::pair<QString, Qt::SortOrder> orders[] = {{tr("Sort &ascending"), Qt::AscendingOrder},
                                                      {tr("Sort &descending"), Qt::DescendingOrder}};
  for (const auto& [text, order] : orders) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(isNow && header->sortIndicatorOrder() == order);
    QObject::connect(action, &QAction::triggered, &panel,
                     [header, column, order = order] { header->setSortIndicator(column, order); });
  }
}

void addUnsorting(QMenu& menu, TablePanel& panel) {
  QAction* action = menu.addAction(tr("Do &not sort"));
  action->setEnabled(panel.model().isSorted());
  QObject::connect(action, &QAction::triggered, &panel,
                   [&panel] { panel.view().horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); });
}

void addColumns(QMenu& menu, TablePanel& panel) {
  TableColumns& columns = panel.columns();
  for (int column = 0; column < columnCount(panel); ++column) {
    QAction* action = menu.addAction(titleOf(panel, column));
    action->setCheckable(true);
    action->setChecked(columns.isShown(column));
    action->setToolTip(QString::fromStdString(tooltipOf(panel.model().table().columns[size_t(column)])));
    QObject::connect(action, &QAction::triggered, &panel,
                     [&columns, column](bool shown) { columns.setShown(column, shown); });
  }
  menu.addSeparator();
  QObject::connect(menu.addAction(tr("&Reset columns")), &QAction::triggered, &panel,
                   [&columns] { columns.reset(); });
  menu.setToolTipsVisible(true);
}

QAction* add(QMenu& menu, const QString& text, const QKeySequence& key, bool isEnabled) {
  QAction* action = menu.addAction(text);
  action->setShortcut(key);
  action->setShortcutVisibleInContextMenu(true);
  action->setEnabled(isEnabled);
  return action;
}

}  // namespace

void fillRowMenu(QMenu& menu, TablePanel& panel) {
  const QString id = QString::fromStdString(panel.selectedId());
  for (QAction* action : panel.rowActions()) menu.addAction(action);
  if (!panel.rowActions().isEmpty()) menu.addSeparator();
  QObject::connect(add(menu, tr("&Open"), Qt::Key_Return, !id.isEmpty()), &QAction::triggered, &panel,
                   [&panel, id] { emit panel.activated(id); });
  menu.addSeparator();
  QObject::connect(add(menu, tr("&Copy"), QKeySequence::Copy, panel.hasSelection()), &QAction::triggered,
                   &panel, [&panel] { panel.copy(false); });
  QObject::connect(add(menu, tr("Copy with &titles"), Qt::CTRL | Qt::SHIFT | Qt::Key_C, panel.hasSelection()),
                   &QAction::triggered, &panel, [&panel] { panel.copy(true); });
  QObject::connect(add(menu, tr("Select &all"), QKeySequence::SelectAll, true), &QAction::triggered, &panel,
                   [&panel] { panel.view().selectAll(); });
  menu.addSeparator();
  QObject::connect(add(menu, tr("&Filter…"), QKeySequence::Find, true), &QAction::triggered, &panel,
                   [&panel] { panel.showFilter(); });
  QMenu* sorting = menu.addMenu(tr("&Sort by"));
  for (const int column : panel.columns().shownColumns())
    addSorting(*sorting->addMenu(titleOf(panel, column)), panel, column);
  sorting->addSeparator();
  addUnsorting(*sorting, panel);
  addColumns(*menu.addMenu(tr("Co&lumns")), panel);
}

void fillHeaderMenu(QMenu& menu, TablePanel& panel, int column) {
  if (column >= 0) {
    addSorting(menu, panel, column);
    addUnsorting(menu, panel);
    menu.addSeparator();
    QAction* hide = menu.addAction(tr("&Hide “%1”").arg(titleOf(panel, column)));
    hide->setEnabled(panel.columns().shownColumns().size() > 1);
    QObject::connect(hide, &QAction::triggered, &panel,
                     [&panel, column] { panel.columns().setShown(column, false); });
    menu.addSeparator();
  }
  addColumns(menu, panel);
}

}  // namespace wb
