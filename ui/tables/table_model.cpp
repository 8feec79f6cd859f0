// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_model.h"

#include <QThreadPool>
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ui/style/background.h"

namespace wb {
namespace {

const Cell* cellOf(const Table& table, int row, int column) {
  if (row < 0 || row >= int(table.rows.size())) return nullptr;
  const auto& cells = table.rows[size_t(row)].cells;
  return column >= 0 && column < int(cells.size()) ? &cells[size_t(column)] : nullptr;
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

TableModel::TableModel(QObject* parent) : QAbstractTableModel(parent) {
  const auto none = std::make_shared<const Table>();
  shown_ = wanted_ = {none, std::make_shared<const RowFinder>(none)};
}

void TableModel::setTable(std::shared_ptr<const Table> table) {
  if (!table || table == wanted_.table) return;
  auto finder = std::make_shared<const RowFinder>(table);
  wanted_ = {std::move(table), std::move(finder)};
  arrange();
}

void TableModel::setFilter(const QString& text) {
  query_.words.clear();
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    query_.words.push_back(foldCase(word.toStdString()));
  arrange();
}

void TableModel::setRowSet(int set) {
  if (std::exchange(query_.set, set) != set) arrange();
}

void TableModel::setShowsParts(bool shows) {
  if (std::exchange(query_.withParts, shows) != shows) arrange();
}

bool TableModel::hasParts() const {
  return std::any_of(table().rows.begin(), table().rows.end(),
                     [](const Table::Row& row) { return row.depth > 0; });
}

void TableModel::sort(int column, Qt::SortOrder order) {
  query_.column = column, query_.descending = order == Qt::DescendingOrder;
  arrange();
}

// Frees a table on another thread, since freeing ten thousand rows of strings takes milliseconds.
void TableModel::retire(Source source) {
  if (source.table->rows.size() > 500) QThreadPool::globalInstance()->start([source = std::move(source)] {});
}

TableModel::Plan TableModel::planFor(const Source& from, Source to, const RowQuery& query) {
  Plan plan{std::move(to), {}, {}, {}};
  plan.rows = plan.source.finder->rows(query);
  plan.counts = plan.source.finder->counts(query.withParts);
  if (plan.source.table != from.table) plan.match = matchRows(*from.table, *plan.source.table);
  return plan;
}

// A large table is shown by what another thread has found out; what is asked for meanwhile comes after that.
void TableModel::arrange() {
  if (wanted_.table->rows.size() < largeTable && table().rows.size() < largeTable) {
    ++generation_;
    underWay_ = again_ = false;
    return apply(planFor(shown_, wanted_, query_));
  }
  again_ = true;
  if (underWay_) return;
  underWay_ = true, again_ = false;
  inBackground(
      this, [from = shown_, to = wanted_, query = query_] { return planFor(from, to, query); },
      [this, mine = ++generation_](Plan plan) {
        if (mine != generation_) return;
        underWay_ = false;
        apply(std::move(plan));
        if (again_) arrange();
      });
}

void TableModel::apply(Plan plan) {
  counts_ = std::move(plan.counts);
  if (plan.source.table->columns != table().columns) {
    beginResetModel();
    rows_ = std::move(plan.rows);
    Source old = std::exchange(shown_, std::move(plan.source));
    endResetModel();
    retire(std::move(old));
  } else {
    show(std::move(plan));
  }
  emit arranged();
}

// Goes from the rows that are shown to those of the plan in steps that a view can follow: rows that go away
// move to the end and are removed there, new ones are added at the end, and then everything takes its place.
void TableModel::show(Plan plan) {
  std::vector<char> isWanted(plan.source.table->rows.size(), 0);
  for (const int row : plan.rows) isWanted[size_t(row)] = 1;
  const auto next = [&](int row) { return plan.match.empty() ? row : plan.match[size_t(row)]; };

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
  rows.reserve(plan.rows.size());
  for (const int row : rows_) {
    rows.push_back(next(row));
    isWanted[size_t(next(row))] = 0;
  }
  for (const int row : plan.rows)
    if (isWanted[size_t(row)]) rows.push_back(row);
  const bool grows = rows.size() > rows_.size(), isSame = plan.source.table == shown_.table;
  if (grows) beginInsertRows({}, int(rows_.size()), int(rows.size()) - 1);
  Source old = std::exchange(shown_, std::move(plan.source));
  rows_ = std::move(rows);
  if (grows) endInsertRows();
  reorder(std::move(plan.rows));
  if (isSame) return;
  if (!rows_.empty() && !table().columns.empty())
    emit dataChanged(index(0, 0), index(int(rows_.size()) - 1, int(table().columns.size()) - 1));
  retire(std::move(old));
}

// `rows` is a permutation of the visible rows.
void TableModel::reorder(std::vector<int> rows) {
  if (rows == rows_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> place(table().rows.size(), -1);
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
    if (table().rows[size_t(rows_[i])].id == id) return int(i);
  return -1;
}

std::string TableModel::idAt(int row) const {
  return row >= 0 && row < int(rows_.size()) ? table().rows[size_t(rows_[size_t(row)])].id : std::string();
}

Place TableModel::placeOf(const std::string& id) const {
  const int row = rowOf(id);
  return row < 0 ? Place{} : table().rows[size_t(rows_[size_t(row)])].place;
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(table().columns.size());
}

const Cell* TableModel::cell(const QModelIndex& at) const {
  if (!at.isValid() || at.row() >= int(rows_.size())) return nullptr;
  return cellOf(table(), rows_[size_t(at.row())], at.column());
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
      return int((isNumber(table().columns[size_t(at.column())].kind) ? Qt::AlignRight : Qt::AlignLeft) |
                 Qt::AlignVCenter);
    case toneRole:
      return int(shown->tone);
    case barRole:
      return shown->bar;
    case lineRole:
      return table().rows[size_t(rows_[size_t(at.row())])].place.line;
    case fileRole:
      return QString::fromStdString(table().rows[size_t(rows_[size_t(at.row())])].place.file);
    case idRole:
      return QString::fromStdString(idAt(at.row()));
    default:
      return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= int(table().columns.size())) return {};
  const Column& column = table().columns[size_t(section)];
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
