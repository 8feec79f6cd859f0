// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/search/file_search.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace wb {

class EditorArea;
class Files;
class TablePanel;

/// Finds a text in all files of a folder: a row to ask, and a table of places that lead there.
class SearchPanel : public QWidget {
  Q_OBJECT
 public:
  SearchPanel(EditorArea& area, Files& files, QWidget* parent = nullptr);
  /// Takes the selection as the text, and the folder of the current document; the keys go to the text.
  void begin();
  [[nodiscard]] FileSearch& search() { return search_; }
  [[nodiscard]] TablePanel& table() const { return *table_; }
  [[nodiscard]] QString statusText() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QToolButton* button(const QString& icon, const QString& text, const QString& tip, bool checkable);
  void buildRow();
  void start();
  void showFound();
  void showStatus();
  void chooseFolder();

  EditorArea& area_;
  Files& files_;
  FileSearch search_;
  QLineEdit *text_, *folder_;
  QToolButton *letterCase_, *word_, *regex_, *go_;
  QLabel* status_;
  TablePanel* table_;
  /// Few tables a second are enough for the eye.
  QTimer delay_;
};

}  // namespace wb
