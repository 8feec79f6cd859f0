// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;

namespace wb {

class DiffModel;
class DiffView;

/// A file that was changed in the window and on disk: shows the differences, and makes of both texts the one
/// that goes on.
class ConflictDialog : public QDialog {
  Q_OBJECT
 public:
  ConflictDialog(const QString& title, const QString& mine, const QString& theirs, QWidget* parent = nullptr);
  [[nodiscard]] DiffView& view() const { return *view_; }
  [[nodiscard]] DiffModel& model() const { return *model_; }
  [[nodiscard]] QPushButton& keepButton() const { return *keep_; }
  [[nodiscard]] QPushButton& takeButton() const { return *take_; }
  [[nodiscard]] QPushButton& mergeButton() const { return *merge_; }

 signals:
  /// The text that the user chose.
  void resolved(const QString& text);

 private:
  void update();
  void finish(const QString& text);

  DiffModel* model_;
  DiffView* view_;
  QLabel* count_;
  QPushButton *keep_, *take_, *merge_;
};

}  // namespace wb
