// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/line_places.h"

#include <algorithm>

#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

long lineHeight(const QsciScintilla& editor) {
  return std::max(1L, send(editor, Base::SCI_TEXTHEIGHT, 0));
}

}  // namespace

int lineAt(const QsciScintilla& editor, int y) {
  const long row = send(editor, Base::SCI_GETFIRSTVISIBLELINE) + y / lineHeight(editor);
  return static_cast<int>(send(editor, Base::SCI_DOCLINEFROMVISIBLE, row)) + 1;
}

int topOfLine(const QsciScintilla& editor, int line) {
  const long row = send(editor, Base::SCI_VISIBLEFROMDOCLINE, line - 1);
  return static_cast<int>((row - send(editor, Base::SCI_GETFIRSTVISIBLELINE)) * lineHeight(editor));
}

void bringLineTo(QsciScintilla& editor, int line, int y) {
  const long row = send(editor, Base::SCI_VISIBLEFROMDOCLINE, line - 1);
  send(editor, Base::SCI_SETFIRSTVISIBLELINE, std::max(0L, row - y / lineHeight(editor)));
}

}  // namespace wb
