// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace wb {

class KernelEditor;

/// Find and replace in the current editor.
class FindBar : public QWidget {
  Q_OBJECT
 public:
  explicit FindBar(QWidget* parent = nullptr);
  /// Sets the editor to search in; nullptr is none.
  void setEditor(KernelEditor* editor);
  /// Takes the selection as the text to find.
  void showFind();
  void showReplace();
  void findNext();
  void findPrevious();
  [[nodiscard]] QString countText() const;

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QToolButton* toggle(const QString& icon, const QString& text, const QString& tip);
  QToolButton* button(const QString& icon, const QString& tip);
  void press(QToolButton* target, const char* keys);
  void open(bool replace);
  void find(bool forward);
  void replaceOne();
  void replaceEverything();
  void recount();
  void closeBar();

  KernelEditor* editor_ = nullptr;
  QLineEdit *find_, *replace_;
  QToolButton *regex_, *letterCase_, *word_, *replaceOne_, *replaceAll_;
  QLabel* count_;
  QWidget* replaceRow_;
};

}  // namespace wb
