// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

class QsciLexer;
class QsciScintilla;

namespace wb {

struct EditorPalette;

/// The editor's font; falls back to the system's fixed font when "WB Mono" is not registered.
[[nodiscard]] QFont editorFont(double pointSize, const QString& family = {});

/// The palette until a theme sets one.
[[nodiscard]] EditorPalette defaultEditorPalette();

/// Sets the colours of a lexer's styles; `lexer` may be any of makeLexer().
void colorLexer(QsciLexer& lexer, const EditorPalette& palette, const QFont& font);

/// Sets the colours of everything else: margins, caret, selection, fold marks, braces, indicators, call tips.
void colorEditor(QsciScintilla& editor, const EditorPalette& palette, const QFont& font);

}  // namespace wb
