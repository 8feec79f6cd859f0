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

constexpr int metricWidth = 214;  // the numbers beside it matter more
constexpr int groupWidth = 136;   // longer names go on in the rows below

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

// What is sorted has no groups; a column that says nothing in any row takes no room.
void TablePanel::updateGroups() {
  if (!groupKey_.empty()) delegate_->setGroupColumn(model_->isSorted() ? -1 : model_->columnOf(groupKey_));
  if (groupKey_ != "function") return;
  const Table& table = model_->table();
  for (const char* key : {"function", "samples", "stall"}) {
    const int column = model_->columnOf(key);
    if (column < 0 || table.rows.empty()) continue;
    view_->setColumnHidden(column,
                           std::all_of(table.rows.begin(), table.rows.end(), [column](const auto& cells) {
                             return size_t(column) >= cells.size() || cells[size_t(column)].text.empty();
                           }));
  }
}

void TablePanel::setGroupColumn(std::string key) {
  groupKey_ = std::move(key);
  // Names of groups stick to the top, which moves with every scroll.
  connect(view_->verticalScrollBar(), &QScrollBar::valueChanged, view_->viewport(),
          [viewport = view_->viewport()] { viewport->update(); });
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

// Once, from the first rows: measuring all of them costs tens of milliseconds, and columns must not jump
// while a run streams in.
void TablePanel::layoutColumns() {
  const Table& table = model_->table();
  if (laidOut_ || table.rows.empty()) return;
  laidOut_ = true;
  QList<int> pills, code;
  const QFontMetrics textMetrics(view_->font()), codeMetrics(codeFont(12));
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& key = table.columns[column].key;
    if (key == "verdict" || key == "severity" || key == "pace" || key == "winner")
      pills.push_back(int(column));
    const bool isCode = key == "text" || key == "source" || key == "offset";
    if (isCode) code.push_back(int(column));
    const QFontMetrics& metrics = isCode ? codeMetrics : textMetrics;
    int width = metrics.horizontalAdvance(QString::fromStdString(table.columns[column].title)) + 28;
    for (size_t row = 0; row < std::min<size_t>(table.rows.size(), 40); ++row) {
      if (column >= table.rows[row].size()) continue;
      width = std::max(width,
                       metrics.horizontalAdvance(QString::fromStdString(table.rows[row][column].text)) + 20);
    }
    view_->setColumnWidth(int(column), std::min(width, key == groupKey_  ? groupWidth
                                                       : isCode          ? 460
                                                       : key == "metric" ? metricWidth
                                                                         : 340));
  }
  delegate_->setPillColumns(pills);
  delegate_->setCodeColumns(code);
  bringForward("dtype", {"verdict", "speedup", "interval", "candidate", "reference"});
  bringForward("what", {"share"});
  bringForward("kernel", {"seconds", "theoretical", "achieved", "waves"});
}

// What people look for first stands left of the error figures, in a narrow dock without scrolling.
void TablePanel::bringForward(std::string_view behind, std::initializer_list<std::string_view> keys) {
  QHeaderView* header = view_->horizontalHeader();
  int to = -1;
  for (const std::string_view key : keys) {
    const int column = model_->columnOf(key);
    if (column < 0) continue;
    const int from = header->visualIndex(column);
    if (to < 0) {
      const int after = model_->columnOf(behind);
      if (after < 0) return;
      to = header->visualIndex(after) + 1;
    }
    header->moveSection(from, to);
    to = header->visualIndex(column) + 1;
  }
}

void TablePanel::refresh() {
  const int shown = model_->rowCount(), all = int(model_->table().rows.size());
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
