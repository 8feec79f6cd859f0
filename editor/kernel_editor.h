// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QString>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"
#include "editor/heat_layer.h"
#include "editor/text_shape.h"

namespace wb {

class BandLayer;
struct EditorPalette;

/// The kernel editor: QScintilla with Warpbench's lexers, folding, diagnostics on their lines and a quick
/// replace-all. Its font is "WB Mono", which the program registers (`:/fonts`); without it the system's fixed
/// font is taken.
class KernelEditor : public QsciScintilla {
  Q_OBJECT
 public:
  explicit KernelEditor(QWidget* parent = nullptr);
  ~KernelEditor() override;

  /// "cpp", "cuda" or "python" (Language::lexer); anything else is plain text.
  void setLanguage(const QString& lexer);
  void setPalette(const EditorPalette& palette);
  void setFontPixelSize(int pixels);

  void setOptions(const EditorOptions& options);
  /// The text in UTF-8, without a copy of it. It holds until the next change.
  [[nodiscard]] std::string_view bytes() const;
  /// The ends of the lines as they were when the text was set or converted.
  [[nodiscard]] LineEnds lineEnds() const;
  /// Gives all lines the same end.
  void convertLineEnds(EolMode mode);

  /// How the function at a place of the viewport is called, or what its operator's schemas are; empty for
  /// anything else.
  [[nodiscard]] QString callsAt(const QPoint& place) const;

  /// Becomes a second view of another editor's text, which must outlive it. Messages, heat and language are
  /// the other's; place, selection and folds are its own.
  void showTextOf(KernelEditor& other);

  /// The file that is shown, as a path or as a bare name. It decides which diagnostics are this file's;
  /// without one, all are.
  void setFileName(const QString& file);

  /// Shows squiggles, margin markers and a line of text below each diagnostic's line, replacing the earlier
  /// ones. Only those whose place lies in this file are shown; one goes away when its line is edited.
  void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
  void clearDiagnostics();
  [[nodiscard]] int diagnosticCount() const;

  /// Shows the shares of a profile's samples in a margin of their own, replacing the earlier ones.
  void setHeat(const std::vector<HotLine>& lines);
  void setHeatVisible(bool visible);
  [[nodiscard]] const HeatLayer& heat() const;
  /// The tints of lines whose code another view shows.
  [[nodiscard]] BandLayer& bands() const;
  /// Tints a line and scrolls to it, without moving the caret or taking the focus; 0 removes the tint.
  void pointAt(int line);
  /// The line that is pointed at, 1-based; 0 when there is none.
  [[nodiscard]] int pointedLine() const;

  /// Moves the caret to a line (1-based) and column (in bytes, as compilers count), and centres the line.
  void goTo(int line, int column);
  /// The caret's line, 1-based.
  [[nodiscard]] int currentLine() const;
  /// The caret's column, 1-based, in characters.
  [[nodiscard]] int currentColumn() const;

  /// Selects the next (or previous) match and goes round at the end; false without a match, and for an
  /// invalid expression.
  bool find(const QString& text, bool regex, bool caseSensitive, bool wholeWord, bool forward);
  /// Replaces every match in one undo step and returns how many there were. With `regex`, \1 or $1 in the
  /// replacement is a group, \n and \t are a new line and a tab.
  int replaceAll(const QString& text, const QString& replacement, bool regex, bool caseSensitive,
                 bool wholeWord);
  /// Replaces the selection if it is a match, then selects the next one; false when nothing was replaced.
  bool replaceCurrent(const QString& text, const QString& replacement, bool regex, bool caseSensitive,
                      bool wholeWord);
  [[nodiscard]] int countMatches(const QString& text, bool regex, bool caseSensitive, bool wholeWord) const;
  /// What is wrong with a regular expression; empty when nothing is.
  [[nodiscard]] static QString regexError(const QString& text);

 signals:
  /// The pointer rests on a word of which the editor itself knows nothing; the line counts from 1, the column
  /// from 1 in bytes.
  void wordHovered(int line, int column, const QPoint& global);

 public slots:
  /// Shows a text, and goes on with its line ends and its indentation.
  void setText(const QString& text) override;
  /// Ctrl+Z; quick even for thousands of edits in one step.
  void undo() override;
  /// Ctrl+Y, Ctrl+Shift+Z.
  void redo() override;
  /// Ctrl+/.
  void toggleComment();
  /// Ctrl+D: selects the word, then adds a caret at its next occurrence.
  void selectNextOccurrence();
  /// Ctrl+Shift+D: doubles the lines of the selection, or the caret's line.
  void duplicateLines();
  /// Alt+Up.
  void moveLinesUp();
  /// Alt+Down.
  void moveLinesDown();

 protected:
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Impl;
  /// Makes many changes of the text, and says once afterwards that it has changed.
  void changeQuietly(const std::function<void()>& change);
  /// Does what a key does, and says once afterwards that the text has changed if it has.
  void changeByKey(const std::function<void()>& change);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
