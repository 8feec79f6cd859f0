// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QKeyEvent;
class QsciScintilla;
class QString;

namespace wb {

/// Closes brackets and quotes while the user types, types over closing ones, removes empty pairs, and opens a
/// block on Enter between braces. Returns whether the key was handled. Works on a single selection only.
[[nodiscard]] bool typeSmartly(QsciScintilla& editor, const QKeyEvent& event);

}  // namespace wb
