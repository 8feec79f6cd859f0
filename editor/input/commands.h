// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

/// Removes those of QScintilla's default keys that would hide the window's (Ctrl+D, Ctrl+L, Ctrl+T …); the
/// others stay.
void bindKeys(QsciScintilla& editor);

}  // namespace wb
