// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>

namespace wb {

class DiffModel;

/// Shows a DiffModel. Space or a click on a change takes it or leaves it, n and p go to the next and the
/// previous one.
class DiffView : public QListView {
  Q_OBJECT
 public:
  /// The model must live as long as the view.
  explicit DiffView(DiffModel& model, QWidget* parent = nullptr);
  void goToHunk(int hunk);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void step(int by);
  void toggle(const QModelIndex& index);

  DiffModel& diff_;
};

}  // namespace wb
