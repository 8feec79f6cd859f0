// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

void setUpHighlights(QsciScintilla& editor);

/// Colours the names of called functions and boxes the other occurrences of the selected word, in the lines
/// on screen; to be called when what is shown, or the selection, has changed. Scintilla's lexers know
/// neither.
void updateHighlights(QsciScintilla& editor);

}  // namespace wb
