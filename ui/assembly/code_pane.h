// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/figures/code/code_listing.h"

namespace wb {

class CodeHeader;
struct PaneLook;

/// Which rows are noise to whoever reads.
struct CodeFilters {
  bool directives = true, labels = false, comments = true, nops = true, library = false;
  bool operator==(const CodeFilters&) const = default;
};

/// The rows of one form of code, or of two with what changed between them: a margin with marks, addresses,
/// the code in colours on bands by line of the source, and that line. Rows have one height and only those
/// that are seen are painted, so that any number of them opens at once.
class CodePane : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit CodePane(QWidget* parent = nullptr);

  /// Shows a form; with `before`, what became of that one. Both are into listings that the caller keeps.
  void setForms(const CodeForm* form, const CodeForm* before);
  void setFilters(const CodeFilters& filters);
  /// `unit` says of what the marks are.
  void setMarks(std::map<std::size_t, CodeMark> marks, const std::string& unit = {});
  /// `family` is as for codeFont().
  void setCodeFont(const QString& family, int pixels);

  /// The band of each line of the source that has code here, 1-based.
  [[nodiscard]] const std::map<int, int>& bands() const { return bands_; }
  /// Marks the rows of a line, 0 for none; `reveal` scrolls to one of them when none is seen.
  void markLine(int line, bool reveal);
  [[nodiscard]] int markedLine() const { return markedLine_; }
  /// Scrolls so that the row of this line that is nearest to what is seen stands at this height.
  void bringLineTo(int line, int y);
  /// The line of the row that is nearest to this height and has one; 0 where there is none. `*top` is the
  /// row's upper edge.
  [[nodiscard]] int lineNear(int y, int* top) const;

  [[nodiscard]] int rowCount() const { return int(rows_.size()); }
  [[nodiscard]] int currentRow() const { return current_; }
  void setCurrentRow(int row);
  /// The text of a row as it is copied.
  [[nodiscard]] QString textOf(int row) const;
  /// The line of the source of a row; 0 where it has none.
  [[nodiscard]] int lineOf(int row) const;
  /// What the tooltip of a row says: the operation, its mark, its place.
  [[nodiscard]] QString helpOf(int row) const;
  /// The next row (or the previous one, with -1) that has one of the hottest marks; -1 where there is none.
  [[nodiscard]] int nextHot(int by) const;
  [[nodiscard]] int rowHeight() const { return rowHeight_; }
  [[nodiscard]] const CodeHeader& header() const { return *header_; }
  void copy() const;

 signals:
  /// The user chose a row; the line is 0 where it has none.
  void chosen(int line);
  /// Enter, or a double click.
  void activated(int line);
  void scrolled();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] const CodeRow* rowAt(int row) const;
  [[nodiscard]] bool isHidden(const CodeRow& row) const;
  [[nodiscard]] const CodeMark* markOf(int row) const;
  [[nodiscard]] PaneLook look() const;
  void layOut();
  void sizeBars();
  void showHeader();
  void moveTo(int row, bool extend, bool tell);
  void reveal(int row);
  [[nodiscard]] int rowAtHeight(int y) const;

  const CodeForm *form_ = nullptr, *before_ = nullptr;
  CodeFilters filters_;
  CodeHeader* header_;
  std::string unit_;
  std::vector<PairedRow> pairs_, rows_;
  std::map<std::size_t, CodeMark> marks_;
  std::map<int, int> bands_;
  int current_ = -1, anchor_ = -1, markedLine_ = 0;
  int rowHeight_ = 18, addressWidth_ = 0, longest_ = 0;
  double charWidth_ = 8, hottest_ = 0;
};

}  // namespace wb
