// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace wb {

/// Colours of the editor; a theme (ui/style/theme.h) fills it.
struct EditorPalette {
  QColor background, text, lineNumber, currentLine, selection, selectionText, caret, fold, indentGuide,
      braceMatch;
  QColor keyword, builtin, type, string, number, comment, preprocessor, op, function;
  QColor error, errorBackground, warning, warningBackground, note, noteBackground;
  /// The background of the hottest lines, and of the line that another view points to.
  QColor heat, pointed;
  bool dark = true;
};

}  // namespace wb
