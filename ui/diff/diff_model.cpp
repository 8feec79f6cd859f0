// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_model.h"

#include <algorithm>

#include "core/figures/cells.h"

namespace wb {
namespace {

/// How many equal lines stand before and after a change.
constexpr std::size_t around = 3;

std::string_view withoutEnd(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

QString lines(std::size_t count) {
  return QString::fromStdString(plural(std::int64_t(count), "line", "lines"));
}

}  // namespace

DiffModel::DiffModel(std::string mine, std::string theirs, QObject* parent)
    : QAbstractListModel(parent), mine_(std::move(mine)), theirs_(std::move(theirs)) {
  mineLines_ = wholeLines(mine_);
  theirsLines_ = wholeLines(theirs_);
  hunks_ = diffLines(mineLines_, theirsLines_);
  taken_.assign(hunks_.size(), false);
  build();
}

void DiffModel::build() {
  std::size_t mine = 0, theirs = 0;
  for (std::size_t h = 0; h < hunks_.size(); ++h) {
    const DiffHunk& hunk = hunks_[h];
    addEqual(mine, hunk.before, theirs, h == 0, false);
    rows_.push_back({Kind::hunk, int(hunk.before) + 1, int(hunk.after) + 1, int(h), {}});
    for (std::size_t i = 0; i < hunk.removed; ++i)
      rows_.push_back(
          {Kind::mine, int(hunk.before + i) + 1, 0, int(h), withoutEnd(mineLines_[hunk.before + i])});
    for (std::size_t i = 0; i < hunk.added; ++i)
      rows_.push_back(
          {Kind::theirs, 0, int(hunk.after + i) + 1, int(h), withoutEnd(theirsLines_[hunk.after + i])});
    mine = hunk.before + hunk.removed;
    theirs = hunk.after + hunk.added;
  }
  addEqual(mine, mineLines_.size(), theirs, hunks_.empty(), true);
}

void DiffModel::addEqual(std::size_t from, std::size_t to, std::size_t theirsFrom, bool isFirst,
                         bool isLast) {
  const std::size_t before = isFirst ? 0 : around, after = isLast ? 0 : around;
  const bool skips = to - from > before + after + 1;
  for (std::size_t i = from; i < to; ++i) {
    if (skips && i == from + before) {
      rows_.push_back({Kind::skipped, 0, 0, -1, {}});
      rows_.back().mine = int(to - after - i);  // how many lines are left out
      i = to - after;
      if (i == to) break;
    }
    rows_.push_back({Kind::equal, int(i) + 1, int(theirsFrom + i - from) + 1, -1, withoutEnd(mineLines_[i])});
  }
}

int DiffModel::takenCount() const {
  return int(std::count(taken_.begin(), taken_.end(), true));
}

void DiffModel::setTaken(int hunk, bool taken) {
  if (hunk < 0 || hunk >= hunkCount() || taken_[std::size_t(hunk)] == taken) return;
  taken_[std::size_t(hunk)] = taken;
  emit dataChanged(index(0), index(rowCount() - 1));
  emit takenChanged();
}

void DiffModel::setAllTaken(bool taken) {
  taken_.assign(hunks_.size(), taken);
  if (!rows_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
  emit takenChanged();
}

int DiffModel::rowOfHunk(int hunk) const {
  const auto at = std::ranges::find_if(
      rows_, [hunk](const Row& row) { return row.kind == Kind::hunk && row.hunk == hunk; });
  return at == rows_.end() ? -1 : int(at - rows_.begin());
}

std::string DiffModel::merged() const {
  return mergeHunks(mineLines_, theirsLines_, hunks_, taken_);
}

int DiffModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}

QString DiffModel::headOf(const Row& row) const {
  const DiffHunk& hunk = hunks_[std::size_t(row.hunk)];
  const bool taken = taken_[std::size_t(row.hunk)];
  const QString what = hunk.removed == 0 ? tr("%1 more on disk").arg(lines(hunk.added))
                       : hunk.added == 0 ? tr("%1 only here").arg(lines(hunk.removed))
                                         : tr("%1 changed").arg(lines(std::max(hunk.removed, hunk.added)));
  return tr("Line %1: %2. %3")
      .arg(row.mine)
      .arg(what, taken ? tr("Taken from disk") : tr("Kept as it is here"));
}

QVariant DiffModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= int(rows_.size())) return {};
  const Row& row = rows_[std::size_t(index.row())];
  const bool taken = row.hunk >= 0 && taken_[std::size_t(row.hunk)];
  switch (role) {
    case Qt::DisplayRole:
      if (row.kind == Kind::hunk) return headOf(row);
      if (row.kind == Kind::skipped) return tr("%1 the same").arg(lines(std::size_t(row.mine)));
      return QString::fromUtf8(row.text.data(), qsizetype(row.text.size()))
          .replace(QLatin1Char('\t'), QStringLiteral("    "));
    case Qt::AccessibleTextRole:
      if (row.kind == Kind::mine) return tr("Here: %1").arg(data(index, Qt::DisplayRole).toString());
      if (row.kind == Kind::theirs) return tr("On disk: %1").arg(data(index, Qt::DisplayRole).toString());
      return data(index, Qt::DisplayRole);
    case Qt::CheckStateRole:
      return row.kind == Kind::hunk ? QVariant(taken ? Qt::Checked : Qt::Unchecked) : QVariant();
    case kindRole:
      return int(row.kind);
    case mineLineRole:
      return row.kind == Kind::skipped ? 0 : row.mine;
    case theirsLineRole:
      return row.theirs;
    case hunkRole:
      return row.hunk;
    case takenRole:
      return taken;
    default:
      return {};
  }
}

bool DiffModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid()) return false;
  setTaken(rows_[std::size_t(index.row())].hunk, value.toInt() == Qt::Checked);
  return true;
}

Qt::ItemFlags DiffModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (rows_[std::size_t(index.row())].kind == Kind::hunk) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

}  // namespace wb
