// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/input/commands.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexerpython.h>

#include <QStringList>
#include <algorithm>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

struct Lines {
  long first = 0, last = 0;
};

/// The lines of the selection; a last line in which nothing is selected does not count.
Lines selectedLines(const QsciScintilla& editor) {
  const long from = send(editor, Base::SCI_GETSELECTIONSTART), to = send(editor, Base::SCI_GETSELECTIONEND);
  Lines lines{lineOf(editor, from), lineOf(editor, to)};
  if (lines.last > lines.first && to == lineStart(editor, lines.last)) --lines.last;
  return lines;
}

long indentEnd(const QsciScintilla& editor, long line) {
  return send(editor, Base::SCI_GETLINEINDENTPOSITION, line);
}

bool isBlank(const QsciScintilla& editor, long line) {
  return indentEnd(editor, line) >= lineEnd(editor, line);
}

bool startsWith(const QsciScintilla& editor, long position, const QByteArray& text) {
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (charAt(editor, position + i) != text[i]) return false;
  }
  return true;
}

void uncomment(QsciScintilla& editor, Lines lines, const QByteArray& mark) {
  for (long line = lines.first; line <= lines.last; ++line) {
    if (isBlank(editor, line)) continue;
    const long at = indentEnd(editor, line);
    const long space = charAt(editor, at + mark.size()) == ' ' ? 1 : 0;
    send(editor, Base::SCI_DELETERANGE, at, mark.size() + space);
  }
}

void comment(QsciScintilla& editor, Lines lines, const QByteArray& mark) {
  long column = -1;
  for (long line = lines.first; line <= lines.last; ++line) {
    if (isBlank(editor, line)) continue;
    const long indent = indentEnd(editor, line) - lineStart(editor, line);
    column = column < 0 ? indent : std::min(column, indent);
  }
  const QByteArray text = mark + ' ';
  for (long line = lines.first; line <= lines.last; ++line) {
    if (isBlank(editor, line) && lines.first != lines.last) continue;
    const long at = lineStart(editor, line) + std::max(column, 0L);
    editor.SendScintilla(Base::SCI_INSERTTEXT, static_cast<unsigned long>(at), text.constData());
  }
}

}  // namespace

void bindKeys(QsciScintilla& editor) {
  QsciCommandSet& commands = *editor.standardCommands();
  for (const QsciCommand::Command id :
       {QsciCommand::LineDuplicate, QsciCommand::SelectionDuplicate, QsciCommand::LineCut,
        QsciCommand::LineCopy, QsciCommand::LineTranspose, QsciCommand::LineDelete,
        QsciCommand::SelectionLowerCase, QsciCommand::SelectionUpperCase, QsciCommand::WordPartLeft,
        QsciCommand::WordPartLeftExtend, QsciCommand::WordPartRight, QsciCommand::WordPartRightExtend,
        QsciCommand::EditToggleOvertype, QsciCommand::DeleteLineLeft, QsciCommand::DeleteLineRight,
        QsciCommand::MoveSelectedLinesUp, QsciCommand::Undo, QsciCommand::Redo,
        QsciCommand::MoveSelectedLinesDown}) {
    if (QsciCommand* command = commands.find(id)) {
      command->setKey(0);
      command->setAlternateKey(0);
    }
  }
  if (QsciCommand* command = commands.find(QsciCommand::LineDelete))
    command->setKey((Qt::CTRL | Qt::SHIFT | Qt::Key_K).toCombined());
}

void KernelEditor::undo() {
  if (isReadOnly() || !isUndoAvailable()) return;
  changeQuietly([this] { QsciScintilla::undo(); });
}

void KernelEditor::redo() {
  if (isReadOnly() || !isRedoAvailable()) return;
  changeQuietly([this] { QsciScintilla::redo(); });
}

void KernelEditor::toggleComment() {
  if (isReadOnly() || lexer() == nullptr) return;
  const QByteArray mark = qobject_cast<QsciLexerPython*>(lexer()) != nullptr ? "#" : "//";
  const Lines lines = selectedLines(*this);
  bool any = false, all = true;
  for (long line = lines.first; line <= lines.last; ++line) {
    if (isBlank(*this, line)) continue;
    any = true;
    all = all && startsWith(*this, indentEnd(*this, line), mark);
  }
  const UndoStep step(*this);
  if (any && all) {
    uncomment(*this, lines, mark);
  } else {
    comment(*this, lines, mark);
  }
}

void KernelEditor::selectNextOccurrence() {
  if (send(*this, SCI_GETSELECTIONEMPTY) != 0) {
    const long position = caret(*this);
    const long from = send(*this, SCI_WORDSTARTPOSITION, position, 1),
               to = send(*this, SCI_WORDENDPOSITION, position, 1);
    if (to > from) send(*this, SCI_SETSEL, from, to);
    return;
  }
  send(*this, SCI_SETSEARCHFLAGS, SCFIND_MATCHCASE);
  send(*this, SCI_TARGETWHOLEDOCUMENT);
  send(*this, SCI_MULTIPLESELECTADDNEXT);
  send(*this, SCI_SCROLLCARET);
}

void KernelEditor::duplicateLines() {
  if (isReadOnly()) return;
  const Lines lines = selectedLines(*this);
  const long from = lineStart(*this, lines.first), to = lineEnd(*this, lines.last);
  QByteArray text(static_cast<qsizetype>(to - from) + 1, '\0');
  SendScintilla(SCI_GETTEXTRANGE, from, to, text.data());
  text.chop(1);
  const UndoStep step(*this);
  const QByteArray end = lineEndBytes(eolMode());
  SendScintilla(SCI_INSERTTEXT, static_cast<unsigned long>(to), QByteArray(end + text).constData());
  // The copy gets the caret, as if the original had stayed where it was.
  const long moved = to - from + end.size();
  send(*this, SCI_SETSEL, send(*this, SCI_GETANCHOR) + moved, send(*this, SCI_GETCURRENTPOS) + moved);
}

void KernelEditor::moveLinesUp() {
  if (!isReadOnly()) send(*this, SCI_MOVESELECTEDLINESUP);
}

void KernelEditor::moveLinesDown() {
  if (!isReadOnly()) send(*this, SCI_MOVESELECTEDLINESDOWN);
}

}  // namespace wb
