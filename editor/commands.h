// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

/// Takes QScintilla's default keys away that would hide the window's (Ctrl+D, Ctrl+L, Ctrl+T …); the rest
/// stay.
void bindKeys(QsciScintilla& editor);

}  // namespace wb
