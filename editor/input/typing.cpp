// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/input/typing.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QKeyEvent>
#include <cctype>
#include <string_view>

#include "editor/scintilla.h"
#include "editor/text_shape.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

char closingOf(char opening) {
  switch (opening) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '"':
    case '\'':
      return opening;
    default:
      return '\0';
  }
}

bool isQuote(char c) {
  return c == '"' || c == '\'';
}

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the caret stands in a comment or in a string, where quotes and brackets are text.
bool inText(QsciScintilla& editor, long position) {
  if (position == 0) return false;
  // What was just typed gets its style at the next painting only.
  send(editor, Base::SCI_COLOURISE, lineStart(editor, lineOf(editor, position)), position);
  const long style = send(editor, Base::SCI_GETSTYLEAT, position - 1);
  if (qobject_cast<QsciLexerPython*>(editor.lexer()) != nullptr) {
    using L = QsciLexerPython;
    return style == L::Comment || style == L::CommentBlock || style == L::TripleDoubleQuotedString ||
           style == L::TripleSingleQuotedString;
  }
  using L = QsciLexerCPP;
  return style == L::Comment || style == L::CommentLine || style == L::CommentDoc ||
         style == L::CommentLineDoc || style == L::RawString;
}

void insert(QsciScintilla& editor, long position, const QByteArray& text) {
  editor.SendScintilla(Base::SCI_INSERTTEXT, static_cast<unsigned long>(position), text.constData());
}

bool wrapSelection(QsciScintilla& editor, char opening, char closing) {
  const long from = send(editor, Base::SCI_GETSELECTIONSTART), to = send(editor, Base::SCI_GETSELECTIONEND);
  const UndoStep step(editor);
  insert(editor, to, QByteArray(1, closing));
  insert(editor, from, QByteArray(1, opening));
  send(editor, Base::SCI_SETSEL, from + 1, to + 1);
  return true;
}

bool typeOver(QsciScintilla& editor, char typed) {
  const long position = caret(editor);
  if (charAt(editor, position) != typed) return false;
  const std::string_view closers = ")]}\"'";
  if (closers.find(typed) == std::string_view::npos) return false;
  if (!isQuote(typed)) {
    // Only a bracket that closes one on this line before the caret is typed over, so that a missing one can
    // still be typed.
    const long match = send(editor, Base::SCI_BRACEMATCH, position);
    if (match < 0 || match >= position) return false;
  }
  send(editor, Base::SCI_CANCEL);
  send(editor, Base::SCI_GOTOPOS, position + 1);
  return true;
}

bool openPair(QsciScintilla& editor, char opening, char closing) {
  const long position = caret(editor);
  const char next = charAt(editor, position), before = position > 0 ? charAt(editor, position - 1) : '\0';
  const bool room = position == documentLength(editor) ||
                    std::isspace(static_cast<unsigned char>(next)) != 0 ||
                    std::string_view(")]};,").find(next) != std::string_view::npos;
  if (!room || inText(editor, position)) return false;
  if (isQuote(opening) && (isWord(before) || before == opening || before == '\\')) return false;
  const UndoStep step(editor);
  const char pair[] = {opening, closing, '\0'};
  insert(editor, position, pair);
  send(editor, Base::SCI_GOTOPOS, position + 1);
  if (opening == '(') editor.callTip();
  return true;
}

bool removePair(QsciScintilla& editor) {
  const long position = caret(editor);
  if (position == 0) return false;
  const char closing = closingOf(charAt(editor, position - 1));
  if (closing == '\0' || charAt(editor, position) != closing) return false;
  const UndoStep step(editor);
  send(editor, Base::SCI_DELETERANGE, position - 1, 2);
  return true;
}

bool openBlock(QsciScintilla& editor) {
  const long position = caret(editor);
  if (position == 0 || charAt(editor, position - 1) != '{' || charAt(editor, position) != '}') return false;
  const long line = lineOf(editor, position);
  const int indent = editor.indentation(static_cast<int>(line));
  const UndoStep step(editor);
  const QByteArray end = lineEndBytes(editor.eolMode());
  insert(editor, position, end + end);
  const int width = editor.indentationWidth() > 0 ? editor.indentationWidth() : editor.tabWidth();
  editor.setIndentation(static_cast<int>(line) + 1, indent + width);
  editor.setIndentation(static_cast<int>(line) + 2, indent);
  send(editor, Base::SCI_GOTOPOS, lineEnd(editor, line + 1));
  return true;
}

}  // namespace

bool typeSmartly(QsciScintilla& editor, const QKeyEvent& event) {
  if (editor.isReadOnly() || send(editor, Base::SCI_GETSELECTIONS) > 1 || editor.isListActive()) return false;
  if ((event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) return false;
  const bool selected = send(editor, Base::SCI_GETSELECTIONEMPTY) == 0;
  if (event.key() == Qt::Key_Backspace) return !selected && removePair(editor);
  if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) return !selected && openBlock(editor);
  const QString text = event.text();
  if (text.size() != 1 || text[0].unicode() > 127) return false;
  const char typed = text[0].toLatin1();
  const char closing = closingOf(typed);
  if (selected) return closing != '\0' && wrapSelection(editor, typed, closing);
  return typeOver(editor, typed) || (closing != '\0' && openPair(editor, typed, closing));
}

}  // namespace wb
