// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QsciScintilla;

namespace wb {

/// Makes a new editor behave as ours: text, caret, margins and completion.
void setUp(QsciScintilla& editor);

}  // namespace wb
