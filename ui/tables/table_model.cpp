// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_model.h"

#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "ui/tables/table_order.h"

namespace wb {
namespace {

const Cell* cellOf(const Table& table, int row, int column) {
  if (row < 0 || row >= int(table.rows.size())) return nullptr;
  const auto& cells = table.rows[size_t(row)].cells;
  return column >= 0 && column < int(cells.size()) ? &cells[size_t(column)] : nullptr;
}

// Frees a table on another thread, since freeing ten thousand rows of strings takes milliseconds.
void retire(std::shared_ptr<const Table> table) {
  if (table.use_count() == 1 && table->rows.size() > 500)
    QThreadPool::globalInstance()->start([table = std::move(table)] {});
}

// For each row of `from` the row of `to` with the same id; -1 without one.
std::vector<int> matchRows(const Table& from, const Table& to) {
  std::vector<int> match(from.rows.size(), -1);
  size_t same = 0;  // a streaming run appends, so one is mostly the beginning of the other
  while (same < match.size() && same < to.rows.size() && from.rows[same].id == to.rows[same].id) {
    match[same] = int(same);
    ++same;
  }
  if (same == match.size()) return match;
  std::unordered_map<std::string_view, int> places;
  for (size_t i = same; i < to.rows.size(); ++i) places.emplace(to.rows[i].id, int(i));
  for (size_t i = same; i < match.size(); ++i)
    if (const auto found = places.find(from.rows[i].id); found != places.end()) match[i] = found->second;
  return match;
}

}  // namespace

TableModel::TableModel(QObject* parent) : QAbstractTableModel(parent), table_(std::make_shared<Table>()) {}

void TableModel::setTable(std::shared_ptr<const Table> table) {
  if (!table || table == table_) return;
  if (table->columns != table_->columns) {
    beginResetModel();
    retire(std::exchange(table_, std::move(table)));
    rows_ = arrange(*table_);
    endResetModel();
    return;
  }
  show(std::move(table));
}

void TableModel::setFilter(const QString& text) {
  words_.clear();
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    words_.push_back(foldCase(word.toStdString()));
  show(table_);
}

void TableModel::setShowsParts(bool shows) {
  if (std::exchange(showsParts_, shows) != shows) show(table_);
}

bool TableModel::hasParts() const {
  return std::any_of(table_->rows.begin(), table_->rows.end(),
                     [](const Table::Row& row) { return row.depth > 0; });
}

int TableModel::total() const {
  return int(std::count_if(table_->rows.begin(), table_->rows.end(),
                           [this](const Table::Row& row) { return showsParts_ || row.depth == 0; }));
}

void TableModel::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column, sortOrder_ = order;
  reorder(arrange(*table_));
}

std::vector<int> TableModel::arrange(const Table& table) const {
  std::vector<int> rows = matchingRows(table, words_, showsParts_);
  if (sortColumn_ >= 0 && sortColumn_ < int(table.columns.size()))
    sortRows(rows, table, size_t(sortColumn_), sortOrder_ == Qt::DescendingOrder);
  return rows;
}

// Goes from the rows that are shown to those of `table` in steps that a view can follow: rows that go away
// move to the end and are removed there, new ones are added at the end, and then everything takes its place.
void TableModel::show(std::shared_ptr<const Table> table) {
  std::vector<int> wanted = arrange(*table);
  std::vector<char> isWanted(table->rows.size(), 0);
  for (const int row : wanted) isWanted[size_t(row)] = 1;
  const std::vector<int> match = table == table_ ? std::vector<int>{} : matchRows(*table_, *table);
  const auto next = [&](int row) { return match.empty() ? row : match[size_t(row)]; };

  std::vector<int> keep, drop;
  for (const int row : rows_) (next(row) >= 0 && isWanted[size_t(next(row))] ? keep : drop).push_back(row);
  if (!drop.empty()) {
    std::vector<int> order = keep;
    order.insert(order.end(), drop.begin(), drop.end());
    reorder(std::move(order));
    beginRemoveRows({}, int(keep.size()), int(rows_.size()) - 1);
    rows_.resize(keep.size());
    endRemoveRows();
  }

  std::vector<int> rows;
  rows.reserve(wanted.size());
  for (const int row : rows_) {
    rows.push_back(next(row));
    isWanted[size_t(next(row))] = 0;
  }
  for (const int row : wanted)
    if (isWanted[size_t(row)]) rows.push_back(row);
  const bool grows = rows.size() > rows_.size();
  if (grows) beginInsertRows({}, int(rows_.size()), int(rows.size()) - 1);
  std::shared_ptr<const Table> old = std::exchange(table_, std::move(table));
  rows_ = std::move(rows);
  if (grows) endInsertRows();
  reorder(std::move(wanted));
  if (old != table_ && !rows_.empty() && !table_->columns.empty())
    emit dataChanged(index(0, 0), index(int(rows_.size()) - 1, int(table_->columns.size()) - 1));
  retire(std::move(old));
}

// `rows` is a permutation of the visible rows.
void TableModel::reorder(std::vector<int> rows) {
  if (rows == rows_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> place(table_->rows.size(), -1);
  for (size_t i = 0; i < rows.size(); ++i) place[size_t(rows[i])] = int(i);
  const QModelIndexList before = persistentIndexList();
  QModelIndexList after;
  after.reserve(before.size());
  for (const QModelIndex& old : before)
    after.push_back(index(place[size_t(rows_[size_t(old.row())])], old.column()));
  rows_ = std::move(rows);
  changePersistentIndexList(before, after);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int TableModel::rowOf(const std::string& id) const {
  for (size_t i = 0; i < rows_.size(); ++i)
    if (table_->rows[size_t(rows_[i])].id == id) return int(i);
  return -1;
}

std::string TableModel::idAt(int row) const {
  return row >= 0 && row < int(rows_.size()) ? table_->rows[size_t(rows_[size_t(row)])].id : std::string();
}

Place TableModel::placeOf(const std::string& id) const {
  const int row = rowOf(id);
  return row < 0 ? Place{} : table_->rows[size_t(rows_[size_t(row)])].place;
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(table_->columns.size());
}

const Cell* TableModel::cell(const QModelIndex& at) const {
  if (!at.isValid() || at.row() >= int(rows_.size())) return nullptr;
  return cellOf(*table_, rows_[size_t(at.row())], at.column());
}

QVariant TableModel::data(const QModelIndex& at, int role) const {
  const Cell* shown = cell(at);
  if (!shown) return {};
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(shown->text);
    case Qt::ToolTipRole:
      return shown->detail.empty() ? QVariant() : QVariant(QString::fromStdString(shown->detail));
    case Qt::TextAlignmentRole:
      return int((isNumber(table_->columns[size_t(at.column())].kind) ? Qt::AlignRight : Qt::AlignLeft) |
                 Qt::AlignVCenter);
    case toneRole:
      return int(shown->tone);
    case barRole:
      return shown->bar;
    case lineRole:
      return table_->rows[size_t(rows_[size_t(at.row())])].place.line;
    case fileRole:
      return QString::fromStdString(table_->rows[size_t(rows_[size_t(at.row())])].place.file);
    case idRole:
      return QString::fromStdString(idAt(at.row()));
    default:
      return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= int(table_->columns.size())) return {};
  const Column& column = table_->columns[size_t(section)];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(column.title);
    case Qt::ToolTipRole:
      return QString::fromStdString(tooltipOf(column));
    case Qt::TextAlignmentRole:
      return int((isNumber(column.kind) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

}  // namespace wb
