// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/quantity.h"
#include "ui/style/icon.h"
#include "ui/tables/cell_delegate.h"
#include "ui/tables/chip_row.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_menu.h"
#include "ui/tables/table_model.h"

namespace wb {

TablePanel::TablePanel(const QString& name, QWidget* parent)
    : QWidget(parent),
      model_(new TableModel(this)),
      delegate_(new CellDelegate(this)),
      view_(new QTableView),
      chips_(new ChipRow) {
  setObjectName(name);
  count_ = new QLabel;
  count_->setObjectName(QStringLiteral("muted"));
  empty_ = new QLabel;
  empty_->setObjectName(QStringLiteral("hint"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(24);
  buildFilter(name);
  buildView(name);

  topBar_ = new QWidget;
  top_ = new QHBoxLayout(topBar_);
  top_->setContentsMargins(8, 5, 10, 5);
  top_->setSpacing(10);
  top_->addWidget(chips_);
  top_->addWidget(filter_, 1);
  top_->addStretch(0);
  top_->addWidget(count_);
  auto* body = new QWidget;
  stack_ = new QStackedLayout(body);
  stack_->addWidget(empty_);
  stack_->addWidget(view_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(topBar_);
  all->addWidget(body, 1);
  setFocusProxy(view_);
  // The columns hear of new rows before anything else does, so that what is painted fits.
  columns_ = new TableColumns(*view_, *model_, this);
  connect(model_, &TableModel::arranged, this, &TablePanel::refresh);
  connect(chips_, &ChipRow::chosenChanged, model_, &TableModel::setRowSet);
  refresh();
}

// The columns watch the view, which says things even while it goes; so they go first.
TablePanel::~TablePanel() {
  delete columns_;
}

// The box is hidden until somebody searches: rows are worth more than a box that nobody uses.
void TablePanel::buildFilter(const QString& name) {
  filter_ = new QLineEdit;
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter %1").arg(name));
  filter_->setPlaceholderText(tr("Words that a row must have"));
  filter_->addAction(icon(QStringLiteral("search"), IconTone::secondary), QLineEdit::LeadingPosition);
  filter_->hide();
  filter_->installEventFilter(this);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (!text.isEmpty()) filter_->show();
    model_->setFilter(text);
  });
}

void TablePanel::buildView(const QString& name) {
  view_->setModel(model_);
  view_->setItemDelegate(delegate_);
  view_->setAccessibleName(name);
  view_->setShowGrid(false);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setTabKeyNavigation(false);
  view_->setWordWrap(false);
  view_->setMouseTracking(true);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->verticalHeader()->setDefaultSectionSize(27);
  QHeaderView* header = view_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionsClickable(true);
  header->setSectionsMovable(true);
  header->setSortIndicatorShown(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSortIndicatorClearable(true);
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(40);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->installEventFilter(this);
  // Names of groups stay at the top, which moves with every scroll.
  connect(view_->verticalScrollBar(), &QScrollBar::valueChanged, view_->viewport(),
          [this, viewport = view_->viewport()] {
            if (columns_->groupColumn() >= 0) viewport->update();
          });
  // setSortIndicator alone does not sort.
  connect(header, &QHeaderView::sortIndicatorChanged, model_, &TableModel::sort);
  connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint& at) {
    QMenu menu(this);
    fillHeaderMenu(menu, *this, header->logicalIndexAt(at));
    menu.exec(header->mapToGlobal(at));
  });
  connect(view_, &QWidget::customContextMenuRequested, this, &TablePanel::showMenu);
  connect(view_, &QTableView::doubleClicked, this,
          [this](const QModelIndex& at) { emit activated(at.data(TableModel::idRole).toString()); });
  // The lines around the row where the keyboard is reach over all columns, of which Qt paints one.
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, view_->viewport(),
          [viewport = view_->viewport()] { viewport->update(); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) { emit selected(at.data(TableModel::idRole).toString()); });
}

void TablePanel::setTable(std::shared_ptr<const Table> table) {
  if (!table) return;
  if (!table->empty.empty()) empty_->setText(QString::fromStdString(table->empty));
  model_->setTable(std::move(table));
}

void TablePanel::setShowsParts(bool shows) {
  model_->setShowsParts(shows);
}

void TablePanel::setDense(bool dense) {
  view_->verticalHeader()->setMinimumSectionSize(16);
  view_->verticalHeader()->setDefaultSectionSize(dense ? 21 : 27);
}

void TablePanel::addTool(QWidget* tool) {
  top_->insertWidget(0, tool);
  tool->installEventFilter(this);  // the bar is there for it, and goes when it goes
  refresh();
}

void TablePanel::addRowAction(QAction* action) {
  rowActions_ << action;
}

void TablePanel::setFaded(bool faded) {
  if (faded == isFaded()) return;
  delegate_->setFaded(faded);
  view_->viewport()->update();
}

bool TablePanel::isFaded() const {
  return delegate_->isFaded();
}

void TablePanel::setEmptyText(const QString& text) {
  empty_->setText(text);
}

void TablePanel::refresh() {
  const Table& table = model_->table();
  const RowCounts& counts = model_->counts();
  const int shown = model_->rowCount(), all = counts.all;
  delegate_->setTable(table);
  // A sorted table has no groups.
  delegate_->setGroupColumn(model_->isSorted() ? -1 : columns_->groupColumn());
  stack_->setCurrentWidget(all == 0 ? static_cast<QWidget*>(empty_) : view_);
  chips_->setVisible(!table.sets.empty() && all > 0);
  if (!table.sets.empty()) chips_->setSets(table.sets, counts);
  const QString total = QString::fromStdString(formatCount(all));
  count_->setText(shown == all ? total
                               : tr("%1 of %2").arg(QString::fromStdString(formatCount(shown)), total));
  // The button of all rows says their number already.
  count_->setVisible(all > 0 && (shown != all || table.sets.empty()));
  bool isNeeded = chips_->isVisibleTo(topBar_) || filter_->isVisibleTo(topBar_);
  for (int i = 0; i < top_->count() && !isNeeded; ++i)
    if (const QWidget* tool = top_->itemAt(i)->widget(); tool && tool != count_)
      isNeeded = tool->isVisibleTo(topBar_);
  topBar_->setVisible(isNeeded);
}

void TablePanel::select(const std::string& id) {
  const int row = model_->rowOf(id);
  if (row < 0) return;
  // The view's own ways would add to the selection or take from it where a key is held.
  view_->selectionModel()->setCurrentIndex(model_->index(row, 0),
                                           QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  view_->scrollTo(model_->index(row, 0));
}

std::string TablePanel::selectedId() const {
  const QModelIndex at = view_->selectionModel()->currentIndex();
  return at.isValid() ? model_->idAt(at.row()) : std::string();
}

bool TablePanel::hasSelection() const {
  return view_->selectionModel()->hasSelection();
}

void TablePanel::copy(bool withTitles) {
  if (!hasSelection()) return;
  const std::vector<int> columns = columns_->shownColumns();
  const auto lineOf = [&columns](auto text) {
    QStringList cells;
    for (const int column : columns) cells << QString::fromStdString(text(column)).simplified();
    return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  };
  const Table& table = model_->table();
  QString text;
  if (withTitles) text += lineOf([&](int column) { return table.columns[size_t(column)].title; });
  QModelIndexList rows = view_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows)
    text += lineOf([&](int column) { return model_->cell(row.siblingAtColumn(column))->text; });
  QApplication::clipboard()->setText(text);
}

void TablePanel::showFilter() {
  filter_->show();
  refresh();
  filter_->setFocus();
  filter_->selectAll();
}

void TablePanel::hideFilter() {
  filter_->clear();
  filter_->hide();
  refresh();
  view_->setFocus();
}

void TablePanel::sortByCurrent() {
  QHeaderView* header = view_->horizontalHeader();
  const int column = view_->currentIndex().column();
  if (column < 0) return;
  const bool isNow = model_->isSorted() && header->sortIndicatorSection() == column;
  if (!isNow)
    header->setSortIndicator(column, Qt::AscendingOrder);
  else if (header->sortIndicatorOrder() == Qt::AscendingOrder)
    header->setSortIndicator(column, Qt::DescendingOrder);
  else
    header->setSortIndicator(-1, Qt::AscendingOrder);
}

void TablePanel::showMenu(const QPoint& at) {
  QMenu menu(this);
  fillRowMenu(menu, *this);
  menu.exec(view_->viewport()->mapToGlobal(at));
}

bool TablePanel::isOwnShortcut(const QKeyEvent& event) const {
  return event.matches(QKeySequence::Copy) || event.matches(QKeySequence::Find) ||
         event.matches(QKeySequence::SelectAll) ||
         (event.key() == Qt::Key_C && event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier));
}

bool TablePanel::takeKey(const QKeyEvent& event) {
  const std::string id = selectedId();
  if (event.matches(QKeySequence::Copy)) return copy(false), true;
  if (event.matches(QKeySequence::Find)) return showFilter(), true;
  if (isOwnShortcut(event) && event.key() == Qt::Key_C) return copy(true), true;
  if (event.key() == Qt::Key_S && event.modifiers() == Qt::NoModifier) return sortByCurrent(), true;
  if ((event.key() != Qt::Key_Return && event.key() != Qt::Key_Enter) || id.empty()) return false;
  emit activated(QString::fromStdString(id));
  return true;
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (watched == view_ && isKey) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (event->type() == QEvent::KeyPress) return takeKey(*key) || QWidget::eventFilter(watched, event);
    // The window's commands have these keys too, for the editor; here they are the table's.
    if (isOwnShortcut(*key)) return event->accept(), true;
  } else if (watched == filter_ && isKey) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
      event->accept();
      if (event->type() == QEvent::KeyPress) hideFilter();
      return true;
    }
    if (key == Qt::Key_Down && event->type() == QEvent::KeyPress) {
      view_->setFocus();
      if (!view_->currentIndex().isValid() && model_->rowCount() > 0)
        view_->setCurrentIndex(model_->index(0, 0));
      return true;
    }
  }
  if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
    if (const auto* tool = qobject_cast<QWidget*>(watched);
        tool && tool->parentWidget() == topBar_ && tool != filter_)
      refresh();
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb
