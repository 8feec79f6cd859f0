// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/figures/cases/details.h"

class QAction;
class QLabel;
class QSplitter;
class QTextBrowser;
class QToolButton;

namespace wb {

class ElementsView;

/// Shows one row's details; lines of a traceback lead to their place. A failing case has its wrong elements
/// beside the text, or below it where there is little room.
class DetailsView : public QWidget {
  Q_OBJECT
 public:
  /// `runOnly` is the command that runs the case alone.
  explicit DetailsView(QAction& runOnly, QWidget* parent = nullptr);
  void setDetails(const Details& details);
  /// Shows the wrong elements of the case, and hides their view where there are none.
  void setElements(const CellMaps& maps, Table elements);
  void clearDetails();
  [[nodiscard]] const Details& details() const { return details_; }
  [[nodiscard]] bool isEmpty() const { return details_ == Details{}; }
  [[nodiscard]] QTextBrowser& text() const { return *text_; }
  [[nodiscard]] ElementsView& elements() const { return *elements_; }
  [[nodiscard]] QToolButton& runOnly() const { return *runOnly_; }
  [[nodiscard]] QToolButton& closer() const { return *closer_; }

 signals:
  void placeClicked(const QString& file, int line);
  /// What the row was made from is to be shown.
  void originClicked();
  /// There are details now, or none any more.
  void changed();
  /// The user wants to see them no more.
  void closeWanted();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* buildHead(QAction& runOnly);
  void render();
  void arrange();
  void fitHeights();
  void follow(const QString& link);
  [[nodiscard]] int factsBeside() const;

  Details details_;
  QLabel *title_, *verdict_;
  QToolButton *runOnly_, *closer_;
  QSplitter* split_;
  QTextBrowser* text_;
  ElementsView* elements_;
  /// How many facts stood side by side when the text was made.
  int beside_ = 0;
};

}  // namespace wb
