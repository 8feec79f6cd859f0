// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

void setUpHighlights(QsciScintilla& editor);

/// Colours the names of called functions and boxes the other occurrences of the selected word, in the lines
/// on screen; Scintilla's lexers know neither. Call it when what is shown, or the selection, has changed.
void updateHighlights(QsciScintilla& editor);

}  // namespace wb
