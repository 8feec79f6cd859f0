// SPDX-License-Identifier: GPL-3.0-or-later
// Where the caret is and what is pointed at.
#include <algorithm>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"

namespace wb {

void KernelEditor::pointAt(int line) {
  markerDeleteAll(pointedMarker);
  if (line < 1 || line > lines()) return;
  markerAdd(line - 1, pointedMarker);
  send(*this, SCI_ENSUREVISIBLE, line - 1);
  const long first = send(*this, SCI_GETFIRSTVISIBLELINE), shown = send(*this, SCI_LINESONSCREEN);
  const long row = send(*this, SCI_VISIBLEFROMDOCLINE, line - 1);
  if (row < first || row >= first + shown)
    send(*this, SCI_SETFIRSTVISIBLELINE, std::max(0L, row - shown / 2));
}

int KernelEditor::pointedLine() const {
  return static_cast<int>(send(*this, SCI_MARKERNEXT, 0, 1L << pointedMarker)) + 1;
}

void KernelEditor::goTo(int line, int column) {
  const long row = std::clamp(line - 1, 0, std::max(0, lines() - 1));
  long position = std::min(lineStart(*this, row) + std::max(column - 1, 0), lineEnd(*this, row));
  // The place must not be in the middle of a character.
  if (position > lineStart(*this, row))
    position = send(*this, SCI_POSITIONAFTER, send(*this, SCI_POSITIONBEFORE, position));
  send(*this, SCI_ENSUREVISIBLE, row);
  send(*this, SCI_GOTOPOS, position);
  const long shown = send(*this, SCI_LINESONSCREEN);
  send(*this, SCI_SETFIRSTVISIBLELINE, std::max(0L, send(*this, SCI_VISIBLEFROMDOCLINE, row) - shown / 2));
}

int KernelEditor::currentLine() const {
  return static_cast<int>(lineOf(*this, caret(*this))) + 1;
}

int KernelEditor::currentColumn() const {
  const long position = caret(*this);
  return static_cast<int>(
             send(*this, SCI_COUNTCHARACTERS, lineStart(*this, lineOf(*this, position)), position)) +
         1;
}

}  // namespace wb
