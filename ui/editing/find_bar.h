// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "editor/search.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace wb {

class KernelEditor;
class Settings;

/// Find and replace in the current editor: finds while the user types, marks all matches, and says which one
/// of how many is selected.
class FindBar : public QWidget {
  Q_OBJECT
 public:
  explicit FindBar(Settings& settings, QWidget* parent = nullptr);
  /// Sets the editor to search in; nullptr is none.
  void setEditor(KernelEditor* editor);
  /// Takes the selection as the text to find.
  void showFind();
  /// The same with the field for what comes in its place. What both fields hold stays.
  void showReplace();
  void findNext();
  void findPrevious();
  [[nodiscard]] QString countText() const;

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QToolButton* toggle(const QString& icon, const QString& text, const QString& tip);
  QToolButton* button(const QString& icon, const QString& tip);
  void press(QToolButton* target, const char* keys);
  void buildRows();
  void open(bool replace);
  [[nodiscard]] SearchQuery query() const;
  [[nodiscard]] int selectedHit() const;
  void search();
  void findAsTyped();
  void find(bool forward);
  void replaceOne();
  void replaceEverything();
  void showCount();
  void remember();
  void walkHistory(int by);
  void closeBar();

  Settings& settings_;
  KernelEditor* editor_ = nullptr;
  QLineEdit *find_, *replace_;
  QToolButton *regex_, *letterCase_, *word_, *replaceOne_, *replaceAll_;
  QLabel* count_;
  QWidget* replaceRow_;
  std::vector<SearchHit> hits_;
  /// Where finding while typing begins, in bytes.
  long anchor_ = 0;
  /// What was found before, the last first; -1 while what the field holds is none of it.
  QStringList history_;
  int inHistory_ = -1;
  /// Typing in the text makes the matches stale; they are found again when it pauses.
  QTimer delay_;
};

}  // namespace wb
