// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/quantity.h"
#include "ui/style/fonts.h"
#include "ui/style/icon.h"
#include "ui/tables/cell_delegate.h"
#include "ui/tables/table_model.h"

namespace wb {
namespace {

// Columns are at most as wide as these.
constexpr int textWidth = 340, codeWidth = 460;
constexpr int nameWidth = 214;   // for names in groups, since the numbers beside them matter more
constexpr int groupWidth = 136;  // longer names go on in the rows below

}  // namespace

TablePanel::TablePanel(const QString& name, QWidget* parent)
    : QWidget(parent),
      model_(new TableModel(this)),
      delegate_(new CellDelegate(this)),
      view_(new QTableView) {
  filter_ = new QLineEdit;
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter %1").arg(name));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->addAction(icon(QStringLiteral("search"), IconTone::secondary), QLineEdit::LeadingPosition);
  count_ = new QLabel;
  count_->setObjectName(QStringLiteral("muted"));
  empty_ = new QLabel;
  empty_->setObjectName(QStringLiteral("hint"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(24);
  buildView(name);

  top_ = new QHBoxLayout;
  QHBoxLayout* top = top_;
  top->setContentsMargins(8, 8, 10, 8);
  top->setSpacing(10);
  top->addWidget(filter_);
  top->addWidget(count_);
  auto* body = new QWidget;
  stack_ = new QStackedLayout(body);
  stack_->addWidget(empty_);
  stack_->addWidget(view_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addLayout(top);
  all->addWidget(body, 1);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    model_->setFilter(text);
    refresh();
  });
  refresh();
}

void TablePanel::buildView(const QString& name) {
  view_->setModel(model_);
  view_->setItemDelegate(delegate_);
  view_->setAccessibleName(name);
  view_->setShowGrid(false);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setTabKeyNavigation(false);
  view_->setWordWrap(false);
  view_->setMouseTracking(true);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->verticalHeader()->setDefaultSectionSize(27);
  QHeaderView* header = view_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionsClickable(true);
  header->setSortIndicatorShown(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSortIndicatorClearable(true);
  header->setStretchLastSection(true);
  header->setMinimumSectionSize(48);
  view_->installEventFilter(this);
  // Names of groups stay at the top, which moves with every scroll.
  connect(view_->verticalScrollBar(), &QScrollBar::valueChanged, view_->viewport(),
          [this, viewport = view_->viewport()] {
            if (group_ >= 0) viewport->update();
          });
  // setSortIndicator alone does not sort.
  connect(header, &QHeaderView::sortIndicatorChanged, model_, [this](int column, Qt::SortOrder order) {
    model_->sort(column, order);
    updateGroups();
  });
  connect(view_, &QTableView::doubleClicked, this,
          [this](const QModelIndex& at) { emit activated(at.data(TableModel::idRole).toString()); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) { emit selected(at.data(TableModel::idRole).toString()); });
}

void TablePanel::setTable(std::shared_ptr<const Table> table) {
  if (!table) return;
  model_->setTable(std::move(table));
  if (!model_->table().empty.empty()) empty_->setText(QString::fromStdString(model_->table().empty));
  layoutColumns();
  updateGroups();
  refresh();
}

// A sorted table has no groups; in code a column that is empty in every row takes no space.
void TablePanel::updateGroups() {
  delegate_->setGroupColumn(model_->isSorted() ? -1 : group_);
  const Table& table = model_->table();
  const auto isCode = [](const Column& column) { return column.kind == ColumnKind::code; };
  if (table.rows.empty() || std::none_of(table.columns.begin(), table.columns.end(), isCode)) return;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const auto isEmpty = [column](const Table::Row& row) { return row.cells[column].text.empty(); };
    view_->setColumnHidden(int(column), std::all_of(table.rows.begin(), table.rows.end(), isEmpty));
  }
}

void TablePanel::setShowsParts(bool shows) {
  model_->setShowsParts(shows);
  refresh();
}

void TablePanel::setDense(bool dense) {
  view_->verticalHeader()->setMinimumSectionSize(16);
  view_->verticalHeader()->setDefaultSectionSize(dense ? 21 : 27);
}

void TablePanel::addTool(QWidget* tool) {
  top_->insertWidget(top_->indexOf(filter_), tool);
}

void TablePanel::markLine(int line, const QString& file) {
  if (line == delegate_->markedLine()) return;
  delegate_->setMarked(line, file);
  view_->viewport()->update();
}

int TablePanel::markedLine() const {
  return delegate_->markedLine();
}

void TablePanel::setEmptyText(const QString& text) {
  empty_->setText(text);
}

// This happens once, from the first rows: measuring all of them takes tens of milliseconds, and columns must
// not jump while a run streams in.
void TablePanel::layoutColumns() {
  const Table& table = model_->table();
  if (laidOut_ || table.rows.empty()) return;
  laidOut_ = true;
  QList<int> pills, code;
  group_ = -1;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const ColumnKind kind = table.columns[column].kind;
    if (kind == ColumnKind::verdict) pills.push_back(int(column));
    if (kind == ColumnKind::code) code.push_back(int(column));
    if (kind == ColumnKind::group && group_ < 0) group_ = int(column);
  }
  for (size_t column = 0; column < table.columns.size(); ++column)
    view_->setColumnWidth(int(column), widthOf(table, column));
  delegate_->setPillColumns(pills);
  delegate_->setCodeColumns(code);
  bringForward();
}

int TablePanel::widthOf(const Table& table, size_t column) const {
  const ColumnKind kind = table.columns[column].kind;
  const bool isCode = kind == ColumnKind::code;
  const QFontMetrics metrics(isCode ? codeFont(12) : view_->font());
  int width = metrics.horizontalAdvance(QString::fromStdString(table.columns[column].title)) + 28;
  for (size_t row = 0; row < std::min<size_t>(table.rows.size(), 40); ++row)
    width = std::max(
        width, metrics.horizontalAdvance(QString::fromStdString(table.rows[row].cells[column].text)) + 20);
  const int most = int(column) == group_                     ? groupWidth
                   : isCode                                  ? codeWidth
                   : kind == ColumnKind::name && group_ >= 0 ? nameWidth
                                                             : textWidth;
  return std::min(width, most);
}

// Puts what people look for first after the columns that name the row, so that it is visible in a narrow dock
// without scrolling.
void TablePanel::bringForward() {
  const Table& table = model_->table();
  std::vector<std::pair<int, int>> leading;  // the place and the column
  int to = 0;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const Column& one = table.columns[column];
    if (one.lead > 0) leading.emplace_back(one.lead, int(column));
    if (one.kind == ColumnKind::name || one.kind == ColumnKind::group) ++to;
  }
  std::sort(leading.begin(), leading.end());
  QHeaderView* header = view_->horizontalHeader();
  for (const auto& [lead, column] : leading) header->moveSection(header->visualIndex(column), to++);
}

void TablePanel::refresh() {
  const int shown = model_->rowCount(), all = model_->total();
  stack_->setCurrentWidget(all == 0 ? static_cast<QWidget*>(empty_) : view_);
  count_->setVisible(all > 0);
  const QString total = QString::fromStdString(formatCount(all));
  count_->setText(all == 0       ? QString()
                  : shown == all ? total
                                 : tr("%1 of %2").arg(QString::fromStdString(formatCount(shown)), total));
}

void TablePanel::select(const std::string& id) {
  const int row = model_->rowOf(id);
  if (row < 0) return;
  view_->selectRow(row);
  view_->setCurrentIndex(model_->index(row, 0));
  view_->scrollTo(model_->index(row, 0));
}

std::string TablePanel::selectedId() const {
  const QModelIndex at = view_->selectionModel()->currentIndex();
  return at.isValid() ? model_->idAt(at.row()) : std::string();
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const std::string id = selectedId();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !id.empty()) {
      emit activated(QString::fromStdString(id));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb
