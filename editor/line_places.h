// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

// Where lines of an editor stand, for views that scroll together with it. Lines count from 1; heights count
// in pixels from the top of the text.

/// The line at this height, which may be past the last one.
[[nodiscard]] int lineAt(const QsciScintilla& editor, int y);
/// The height of a line's upper edge; below 0 when it is above what is shown.
[[nodiscard]] int topOfLine(const QsciScintilla& editor, int line);
/// Scrolls so that a line stands about at this height.
void bringLineTo(QsciScintilla& editor, int line, int y);

}  // namespace wb
