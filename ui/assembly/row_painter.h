// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QPalette>

#include "core/figures/code/code_listing.h"
#include "editor/editor_palette.h"
#include "ui/style/theme.h"

namespace wb {

/// How one row looks.
struct RowLook {
  enum Change { same, added, removed };
  int top = 0;
  ListingKind kind = ListingKind::sass;
  bool isSource = false;
  Change change = same;
  /// The band of its line; -1 for none.
  int band = -1;
  bool isMarked = false, isCurrent = false, isSelected = false;
};

/// What all rows of a pane have in common.
struct PaneLook {
  double charWidth = 8;
  int rowHeight = 18;
  /// The letters of the longest address.
  int addressWidth = 0;
  int width = 0, scrolled = 0;
  bool hasFocus = false;
  /// The largest share of a mark.
  double hottest = 0;
  /// There are marks, so their margin takes room.
  bool hasMarks = false;
};

/// Where the columns of a pane stand, in pixels from its left.
struct PaneColumns {
  /// The end of the marks.
  int marks = 0;
  /// The width of the addresses behind them.
  int address = 0;
  /// The beginning of the code, and of the numbers of lines at the right.
  int code = 0, lines = 0;
};

/// Paints rows of code.
class RowPainter {
 public:
  RowPainter(QPainter& painter, const QPalette& palette, const QFont& font, const PaneLook& pane);
  void background(const QRect& area) const;
  void row(const CodeRow& row, const RowLook& look, const CodeMark* mark) const;
  /// The width that everything but the code takes.
  [[nodiscard]] static int reserved(const PaneLook& pane);
  [[nodiscard]] static PaneColumns columns(const PaneLook& pane);

 private:
  void code(const CodeRow& row, const RowLook& look, int left) const;
  void text(int left, int top, const QString& words, const QColor& color, Qt::Alignment side,
            int width) const;

  QPainter& painter_;
  const Theme& theme_;
  EditorPalette colors_;
  PaneLook pane_;
};

}  // namespace wb
