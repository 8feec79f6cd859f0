// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QString>
#include <memory>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

struct EditorPalette;

/// The kernel editor: QScintilla with Warpbench's lexers, folding, diagnostics on their lines and a quick replace-all.
class KernelEditor : public QsciScintilla {
  Q_OBJECT
 public:
  explicit KernelEditor(QWidget* parent = nullptr);
  ~KernelEditor() override;

  /// "cpp", "cuda" or "python" (Language::lexer).
  void setLanguage(const QString& lexer);
  void setPalette(const EditorPalette& palette);
  void setFontPixelSize(int pixels);

  /// Squiggles, margin markers and a line of text below each diagnostic's line, replacing the earlier ones. Only those whose place lies
  /// in this file are shown.
  void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
  void clearDiagnostics();
  [[nodiscard]] int diagnosticCount() const;

  void goTo(int line, int column);  ///< 1-based; centres the line
  [[nodiscard]] int currentLine() const;    ///< 1-based
  [[nodiscard]] int currentColumn() const;  ///< 1-based

  /// Selects the next (or previous) match, wrapping; false without one.
  bool find(const QString& text, bool regex, bool caseSensitive, bool wholeWord, bool forward);
  /// Replaces every match in one undo step; returns how many.
  int replaceAll(const QString& text, const QString& replacement, bool regex, bool caseSensitive, bool wholeWord);
  bool replaceCurrent(const QString& text, const QString& replacement, bool regex, bool caseSensitive, bool wholeWord);
  [[nodiscard]] int countMatches(const QString& text, bool regex, bool caseSensitive, bool wholeWord) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
