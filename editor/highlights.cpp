// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/highlights.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QByteArray>
#include <algorithm>
#include <cctype>
#include <utility>

#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

struct Range {
  long from = 0, to = 0;
};

Range visibleRange(const QsciScintilla& editor) {
  const long first = send(editor, Base::SCI_DOCLINEFROMVISIBLE, send(editor, Base::SCI_GETFIRSTVISIBLELINE));
  const long rows = send(editor, Base::SCI_GETFIRSTVISIBLELINE) + send(editor, Base::SCI_LINESONSCREEN) + 1;
  const long last =
      std::min(send(editor, Base::SCI_DOCLINEFROMVISIBLE, rows), send(editor, Base::SCI_GETLINECOUNT) - 1);
  return {lineStart(editor, first), lineEnd(editor, last)};
}

/// The text with a style byte after each character.
QByteArray styledText(const QsciScintilla& editor, Range range) {
  QByteArray cells(2 * static_cast<qsizetype>(range.to - range.from) + 2, '\0');
  editor.SendScintilla(Base::SCI_GETSTYLEDTEXT, range.from, range.to, cells.data());
  return cells;
}

void clear(QsciScintilla& editor, int indicator, Range range) {
  send(editor, Base::SCI_SETINDICATORCURRENT, indicator);
  send(editor, Base::SCI_INDICATORCLEARRANGE, range.from, range.to - range.from);
}

/// The place after the ">" that closes the "<" at `at`; `at` itself when there is none near it on the same
/// line.
template <class Character>
long behindAngles(const Character& character, long at, long count) {
  constexpr long farthest = 80;
  int depth = 0;
  for (long i = at; i < std::min(count, at + farthest); ++i) {
    const char c = character(i);
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) return i + 1;
    if (c == ';' || c == '\n' || c == '&' || c == '|') break;
  }
  return at;
}

void markCalls(QsciScintilla& editor, Range range) {
  const bool python = qobject_cast<QsciLexerPython*>(editor.lexer()) != nullptr;
  const char identifier =
      static_cast<char>(python ? int{QsciLexerPython::Identifier} : int{QsciLexerCPP::Identifier});
  const QByteArray cells = styledText(editor, range);
  const long count = range.to - range.from;
  const auto character = [&](long i) { return cells[static_cast<qsizetype>(2 * i)]; };
  const auto style = [&](long i) { return cells[static_cast<qsizetype>(2 * i + 1)]; };
  clear(editor, callIndicator, range);
  for (long i = 0; i < count;) {
    if (style(i) != identifier || !isWord(character(i))) {
      ++i;
      continue;
    }
    const long start = i;
    while (i < count && style(i) == identifier && isWord(character(i))) ++i;
    // A call is f(…), or f<T>(…) with the angle bracket directly after the name.
    long next = i;
    if (next < count && character(next) == '<') next = behindAngles(character, next, count);
    if (next < count && character(next) == '(')
      send(editor, Base::SCI_INDICATORFILLRANGE, range.from + start, i - start);
  }
}

/// The selection, if it is exactly one word of two characters or more on one line.
QByteArray selectedWord(const QsciScintilla& editor) {
  if (send(editor, Base::SCI_GETSELECTIONS) != 1) return {};
  const long from = send(editor, Base::SCI_GETSELECTIONSTART), to = send(editor, Base::SCI_GETSELECTIONEND);
  if (to - from < 2 || to - from > 80) return {};
  QByteArray word(static_cast<qsizetype>(to - from) + 1, '\0');
  editor.SendScintilla(Base::SCI_GETTEXTRANGE, from, to, word.data());
  word.chop(1);
  if (!std::all_of(word.begin(), word.end(), isWord)) return {};
  if (from > 0 && isWord(charAt(editor, from - 1))) return {};
  return isWord(charAt(editor, to)) ? QByteArray() : word;
}

void markOccurrences(QsciScintilla& editor, Range range) {
  clear(editor, occurrenceIndicator, range);
  const QByteArray word = selectedWord(editor);
  if (word.isEmpty()) return;
  QByteArray text(static_cast<qsizetype>(range.to - range.from) + 1, '\0');
  editor.SendScintilla(Base::SCI_GETTEXTRANGE, range.from, range.to, text.data());
  const long selection = send(editor, Base::SCI_GETSELECTIONSTART);
  for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.size())) {
    const bool whole = (at == 0 || !isWord(text[at - 1])) && !isWord(text[at + word.size()]);
    if (whole && range.from + at != selection)
      send(editor, Base::SCI_INDICATORFILLRANGE, range.from + at, word.size());
  }
}

}  // namespace

void setUpHighlights(QsciScintilla& editor) {
  editor.indicatorDefine(QsciScintilla::TextColorIndicator, callIndicator);
  editor.indicatorDefine(QsciScintilla::StraightBoxIndicator, occurrenceIndicator);
  editor.setIndicatorDrawUnder(true, occurrenceIndicator);
  send(editor, Base::SCI_INDICSETALPHA, occurrenceIndicator, 40);
  send(editor, Base::SCI_INDICSETOUTLINEALPHA, occurrenceIndicator, 110);
  editor.indicatorDefine(QsciScintilla::StraightBoxIndicator, matchIndicator);
  editor.setIndicatorDrawUnder(true, matchIndicator);
  send(editor, Base::SCI_INDICSETALPHA, matchIndicator, 60);
  send(editor, Base::SCI_INDICSETOUTLINEALPHA, matchIndicator, 160);
}

void updateHighlights(QsciScintilla& editor) {
  if (editor.lexer() == nullptr) return;
  const Range range = visibleRange(editor);
  if (range.to <= range.from || range.to - range.from > 200000) return;
  markCalls(editor, range);
  markOccurrences(editor, range);
}

}  // namespace wb
