// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diff.h"

namespace wb {

/// Two texts, mine and theirs, as the rows of a diff: what changed with some equal lines around it. Each
/// change is a hunk that can be taken or not.
class DiffModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum class Kind {
    /// A line that both have.
    equal,
    /// A line of mine that theirs lacks, and one of theirs that mine lacks.
    mine,
    theirs,
    /// The head of a hunk.
    hunk,
    /// Equal lines that are left out.
    skipped,
  };
  /// Roles of an index: Kind as an int; the line in mine and in theirs from 1, 0 where there is none; the
  /// hunk, −1 outside of one; whether it is taken.
  enum Role { kindRole = Qt::UserRole + 1, mineLineRole, theirsLineRole, hunkRole, takenRole };

  DiffModel(std::string mine, std::string theirs, QObject* parent = nullptr);

  [[nodiscard]] int hunkCount() const { return int(hunks_.size()); }
  [[nodiscard]] int takenCount() const;
  /// Takes a hunk of theirs, or keeps mine.
  void setTaken(int hunk, bool taken);
  void setAllTaken(bool taken);
  /// The row of a hunk's head.
  [[nodiscard]] int rowOfHunk(int hunk) const;
  /// Mine with the hunks that are taken.
  [[nodiscard]] std::string merged() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void takenChanged();

 private:
  struct Row {
    Kind kind = Kind::equal;
    int mine = 0, theirs = 0, hunk = -1;
    std::string_view text;
  };
  void build();
  void addEqual(std::size_t from, std::size_t to, std::size_t theirsFrom, bool isFirst, bool isLast);
  [[nodiscard]] QString headOf(const Row& row) const;

  std::string mine_, theirs_;
  std::vector<std::string_view> mineLines_, theirsLines_;
  std::vector<DiffHunk> hunks_;
  std::vector<bool> taken_;
  std::vector<Row> rows_;
};

}  // namespace wb
