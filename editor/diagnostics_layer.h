// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QString>
#include <vector>

#include "core/model/diagnostic.h"
#include "editor/editor_palette.h"

class QsciScintilla;

namespace wb {

/// Shows diagnostics in an editor: a squiggle, a mark in the margin, text below the line, a tooltip. Marks
/// move with their lines; the marks of a line go away when its text changes.
class DiagnosticsLayer : public QObject {
  Q_OBJECT
 public:
  explicit DiagnosticsLayer(QsciScintilla& editor);

  void setPalette(const EditorPalette& palette);
  /// When this is empty, every diagnostic counts as this file's.
  void setFileName(const QString& file) { file_ = file; }
  void set(const std::vector<Diagnostic>& diagnostics);
  void clear();
  [[nodiscard]] int count() const;
  /// Draws everything again, after a lexer or a font has reset the styles.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    Diagnostic diagnostic;
    /// Scintilla's handle, which follows the line.
    int marker = -1;
    /// The line's text when the mark was set.
    QString lineText;
  };

  [[nodiscard]] QFont font() const;
  void add(const Diagnostic& diagnostic);
  void squiggle(const Diagnostic& diagnostic, int line);
  void annotate();
  void dropEdited();
  [[nodiscard]] int lineOfMarker(int handle) const;
  [[nodiscard]] QString lineText(int line) const;
  [[nodiscard]] QString textOfLine(int line) const;

  QsciScintilla& editor_;
  EditorPalette palette_;
  QString file_;
  std::vector<Shown> shown_;
  bool checkPending_ = false;
};

}  // namespace wb
