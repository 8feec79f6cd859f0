// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QString>
#include <memory>
#include <vector>

#include "core/model/diagnostic.h"
#include "editor/heat_layer.h"

namespace wb {

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

  /// The file that is shown, as a path or as a bare name: decides which diagnostics are this file's. Without
  /// one, all are.
  void setFileName(const QString& file);

  /// Squiggles, margin markers and a line of text below each diagnostic's line, replacing the earlier ones.
  /// Only those whose place lies in this file are shown; one goes away when its line is edited.
  void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
  void clearDiagnostics();
  [[nodiscard]] int diagnosticCount() const;

  /// Shares of a profile's samples in a margin of their own, replacing the earlier ones.
  void setHeat(const std::vector<HotLine>& lines);
  void setHeatVisible(bool visible);
  [[nodiscard]] const HeatLayer& heat() const;
  /// Tints a line and scrolls to it, without moving the caret or taking the focus; 0: none any more.
  void pointAt(int line);
  [[nodiscard]] int pointedLine() const;  ///< 1-based; 0 none

  void goTo(int line, int column);          ///< 1-based, column in bytes as compilers count; centres the line
  [[nodiscard]] int currentLine() const;    ///< 1-based
  [[nodiscard]] int currentColumn() const;  ///< 1-based, in characters

  /// Selects the next (or previous) match, wrapping; false without one, and for an invalid expression.
  bool find(const QString& text, bool regex, bool caseSensitive, bool wholeWord, bool forward);
  /// Replaces every match in one undo step; returns how many. With `regex`, \1 or $1 in the replacement is a
  /// group, \n and \t are what they say.
  int replaceAll(const QString& text, const QString& replacement, bool regex, bool caseSensitive,
                 bool wholeWord);
  /// Replaces the selection if it is a match, then selects the next one; false when nothing was replaced.
  bool replaceCurrent(const QString& text, const QString& replacement, bool regex, bool caseSensitive,
                      bool wholeWord);
  [[nodiscard]] int countMatches(const QString& text, bool regex, bool caseSensitive, bool wholeWord) const;
  /// What is wrong with a regular expression; empty when nothing is.
  [[nodiscard]] static QString regexError(const QString& text);

 public slots:
  void undo() override;         ///< Ctrl+Z; quick for thousands of edits in one step, too
  void redo() override;         ///< Ctrl+Y, Ctrl+Shift+Z
  void toggleComment();         ///< Ctrl+/
  void selectNextOccurrence();  ///< Ctrl+D: the word, then one more caret at its next occurrence
  void duplicateLines();        ///< Ctrl+Shift+D: the selection's or the caret's line
  void moveLinesUp();           ///< Alt+Up
  void moveLinesDown();         ///< Alt+Down
  void resetZoom();             ///< Ctrl+0

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
