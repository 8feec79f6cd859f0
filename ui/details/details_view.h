// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <memory>

#include "core/figures/cases/details.h"

class QTextBrowser;

namespace wb {

class ElementsView;

/// Shows one row's details; lines of a traceback lead to their place. A failing case has its wrong elements
/// beside them.
class DetailsView : public QSplitter {
  Q_OBJECT
 public:
  explicit DetailsView(QWidget* parent = nullptr);
  void setDetails(const Details& details);
  /// Shows the wrong elements of the case, and hides their view where there are none.
  void setElements(const CellMaps& maps, Table elements);
  void clearDetails();
  [[nodiscard]] const Details& details() const { return details_; }
  [[nodiscard]] QTextBrowser& text() const { return *text_; }
  [[nodiscard]] ElementsView& elements() const { return *elements_; }

 signals:
  void placeClicked(const QString& file, int line);
  /// What the row was made from is to be shown.
  void originClicked();
  /// The case is to be run alone.
  void runOnlyClicked();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void render();
  void follow(const QString& link);

  Details details_;
  QTextBrowser* text_;
  ElementsView* elements_;
};

}  // namespace wb
