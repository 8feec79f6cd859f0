// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <vector>

class QJsonArray;

namespace wb {

class KernelEditor;

/// A piece of a text that becomes another one. Lines and columns count from 0, columns in bytes.
struct TextEdit {
  int fromLine = 0, fromColumn = 0, toLine = 0, toColumn = 0;
  QByteArray text;
};

/// The edits of a language server's answer.
[[nodiscard]] std::vector<TextEdit> textEdits(const QJsonArray& array);

/// Makes all edits in one step back. They must not overlap; those that lie outside the text are left out.
void applyEdits(KernelEditor& editor, std::vector<TextEdit> edits);

}  // namespace wb
