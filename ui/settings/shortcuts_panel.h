// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QKeySequence;
class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace wb {

class Settings;

/// All commands with their keys. Keys are typed for the selected one; who has them already is said, and gives
/// them up only when the user says so.
class ShortcutsPanel : public QWidget {
  Q_OBJECT
 public:
  ShortcutsPanel(const QList<QAction*>& actions, Settings& settings, QWidget* parent = nullptr);
  /// Shows the commands in whose names, categories or keys each of these words is; gives how many there are.
  int setFilter(const QStringList& words);
  void select(const QString& id);
  [[nodiscard]] QTreeWidget& list() const { return *list_; }
  [[nodiscard]] QKeySequenceEdit& keys() const { return *keys_; }
  [[nodiscard]] QPushButton& takeButton() const { return *take_; }
  [[nodiscard]] QPushButton& resetButton() const { return *reset_; }
  [[nodiscard]] QPushButton& resetAllButton() const { return *resetAll_; }
  /// What is said about the keys that were typed.
  [[nodiscard]] QString message() const;

 private:
  [[nodiscard]] QAction* selected() const;
  void fill();
  void showSelected();
  void typed(const QKeySequence& keys);
  void choose(const QKeySequence& keys, bool takeAway);
  void resetAll();

  QList<QAction*> actions_;
  Settings& settings_;
  QTreeWidget* list_;
  QKeySequenceEdit* keys_;
  QLabel* message_;
  QPushButton *take_, *clear_, *reset_, *resetAll_;
};

}  // namespace wb
