// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clangd/text_edits.h"

#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>
#include <tuple>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"

namespace wb {

std::vector<TextEdit> textEdits(const QJsonArray& array) {
  std::vector<TextEdit> edits;
  for (const QJsonValue& value : array) {
    const QJsonObject object = value.toObject();
    const QJsonObject range = object[QStringLiteral("range")].toObject();
    const QJsonObject start = range[QStringLiteral("start")].toObject(),
                      end = range[QStringLiteral("end")].toObject();
    edits.push_back({start[QStringLiteral("line")].toInt(), start[QStringLiteral("character")].toInt(),
                     end[QStringLiteral("line")].toInt(), end[QStringLiteral("character")].toInt(),
                     object[QStringLiteral("newText")].toString().toUtf8()});
  }
  return edits;
}

void applyEdits(KernelEditor& editor, std::vector<TextEdit> edits) {
  // From the end, so that earlier places stay right.
  std::sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) {
    return std::tie(a.fromLine, a.fromColumn) > std::tie(b.fromLine, b.fromColumn);
  });
  const UndoStep step(editor);
  for (const TextEdit& edit : edits) {
    if (edit.toLine >= editor.lines() || edit.fromLine > edit.toLine) continue;
    const long from = lineStart(editor, edit.fromLine) + edit.fromColumn;
    const long to = lineStart(editor, edit.toLine) + edit.toColumn;
    if (from > to || to > documentLength(editor)) continue;
    send(editor, QsciScintilla::SCI_SETTARGETRANGE, from, to);
    editor.SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<unsigned long>(edit.text.size()),
                         edit.text.constData());
  }
}

}  // namespace wb
