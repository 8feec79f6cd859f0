// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/search.h"

#include <algorithm>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "editor/text_shape.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

/// Turns ascending character offsets into byte offsets, without walking the text again for each.
class ByteOffsets {
 public:
  ByteOffsets(const QString& text, long bytes) : text_(text), ascii_(text.size() == bytes) {}
  long at(qsizetype character) {
    if (ascii_) return character;
    bytes_ += QStringView(text_).mid(character_, character - character_).toUtf8().size();
    character_ = character;
    return bytes_;
  }

 private:
  const QString& text_;
  bool ascii_;
  qsizetype character_ = 0;
  long bytes_ = 0;
};

/// A replacement with its groups filled in: \1 or $1 is a group, \n and \t a new line and a tab, \\ and \$
/// themselves, $$ a dollar.
QString expand(const QString& replacement, const QRegularExpressionMatch& match, const QString& lineEnd) {
  QString result;
  for (qsizetype i = 0; i < replacement.size(); ++i) {
    const QChar c = replacement[i];
    if ((c != QLatin1Char('\\') && c != QLatin1Char('$')) || i + 1 == replacement.size()) {
      result += c;
      continue;
    }
    const QChar next = replacement[++i];
    if (next.isDigit()) {
      result += match.captured(next.digitValue());
    } else if (c == QLatin1Char('\\') && next == QLatin1Char('n')) {
      result += lineEnd;
    } else if (c == QLatin1Char('\\') && next == QLatin1Char('t')) {
      result += QLatin1Char('\t');
    } else if (c == QLatin1Char('\\') || next == c) {
      result += next;
    } else {
      result += c;
      result += next;
    }
  }
  return result;
}

}  // namespace

void selectHit(QsciScintilla& editor, const SearchHit& hit) {
  const long line = lineOf(editor, hit.from);
  send(editor, Base::SCI_ENSUREVISIBLEENFORCEPOLICY, line);
  send(editor, Base::SCI_SETSEL, hit.from, hit.to);
  const long first = send(editor, Base::SCI_GETFIRSTVISIBLELINE);
  const long shown = send(editor, Base::SCI_LINESONSCREEN);
  const long row = send(editor, Base::SCI_VISIBLEFROMDOCLINE, line);
  if (row < first + 2 || row > first + shown - 3)
    send(editor, Base::SCI_SETFIRSTVISIBLELINE, std::max(0L, row - shown / 2));
  send(editor, Base::SCI_SCROLLCARET);
}

void markHits(QsciScintilla& editor, const std::vector<SearchHit>& hits) {
  constexpr std::size_t mostMarked = 10000;
  send(editor, Base::SCI_SETINDICATORCURRENT, matchIndicator);
  send(editor, Base::SCI_INDICATORCLEARRANGE, 0, documentLength(editor));
  for (std::size_t i = 0; i < std::min(hits.size(), mostMarked); ++i)
    send(editor, Base::SCI_INDICATORFILLRANGE, hits[i].from, hits[i].to - hits[i].from);
}

QRegularExpression compileQuery(const SearchQuery& query) {
  QString pattern = query.regex ? query.text : QRegularExpression::escape(query.text);
  if (query.wholeWord) pattern = QStringLiteral("(?<!\\w)(?:") + pattern + QStringLiteral(")(?!\\w)");
  QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption;
  if (!query.caseSensitive) options |= QRegularExpression::CaseInsensitiveOption;
  // Unicode classes take time, and matter only where the query itself is not ASCII.
  if (std::any_of(query.text.begin(), query.text.end(), [](QChar c) { return c.unicode() > 127; })) {
    options |= QRegularExpression::UseUnicodePropertiesOption;
  }
  // A line may end with CRLF too.
  return QRegularExpression(QStringLiteral("(*ANYCRLF)") + pattern, options);
}

std::vector<SearchHit> findAll(const QsciScintilla& editor, const SearchQuery& query,
                               const QString* replacement) {
  std::vector<SearchHit> hits;
  if (query.text.isEmpty()) return hits;
  const QRegularExpression expression = compileQuery(query);
  if (!expression.isValid()) return hits;
  const QString text = editor.text();
  ByteOffsets bytes(text, documentLength(editor));
  const QString lineEnd = QString::fromLatin1(lineEndBytes(editor.eolMode()));
  for (auto i = expression.globalMatch(text); i.hasNext();) {
    const QRegularExpressionMatch match = i.next();
    if (match.capturedLength() == 0) continue;
    SearchHit hit;
    hit.from = bytes.at(match.capturedStart());
    hit.to = bytes.at(match.capturedEnd());
    if (replacement != nullptr)
      hit.replacement = query.regex ? expand(*replacement, match, lineEnd) : *replacement;
    hits.push_back(std::move(hit));
  }
  return hits;
}

void replaceHits(QsciScintilla& editor, const std::vector<SearchHit>& hits) {
  const UndoStep step(editor);
  // Replacing goes from the end, so that earlier positions stay right.
  for (auto hit = hits.rbegin(); hit != hits.rend(); ++hit) {
    const QByteArray text = hit->replacement.toUtf8();
    send(editor, Base::SCI_SETTARGETRANGE, hit->from, hit->to);
    editor.SendScintilla(Base::SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
  }
}

bool KernelEditor::find(const QString& text, bool regex, bool caseSensitive, bool wholeWord, bool forward) {
  const std::vector<SearchHit> hits = findAll(*this, {text, regex, caseSensitive, wholeWord}, nullptr);
  if (hits.empty()) return false;
  const long from = send(*this, Base::SCI_GETSELECTIONSTART), to = send(*this, Base::SCI_GETSELECTIONEND);
  if (forward) {
    // An empty selection may stand right before a match; a selected match must not be found again.
    const auto next =
        std::find_if(hits.begin(), hits.end(), [&](const SearchHit& hit) { return hit.from >= to; });
    selectHit(*this, next == hits.end() ? hits.front() : *next);
  } else {
    const auto previous =
        std::find_if(hits.rbegin(), hits.rend(), [&](const SearchHit& hit) { return hit.to <= from; });
    selectHit(*this, previous == hits.rend() ? hits.back() : *previous);
  }
  return true;
}

int KernelEditor::replaceAll(const QString& text, const QString& replacement, bool regex, bool caseSensitive,
                             bool wholeWord) {
  if (isReadOnly()) return 0;
  const std::vector<SearchHit> hits = findAll(*this, {text, regex, caseSensitive, wholeWord}, &replacement);
  if (hits.empty()) return 0;
  changeQuietly([&] { replaceHits(*this, hits); });
  return static_cast<int>(hits.size());
}

bool KernelEditor::replaceCurrent(const QString& text, const QString& replacement, bool regex,
                                  bool caseSensitive, bool wholeWord) {
  if (isReadOnly()) return false;
  const std::vector<SearchHit> hits = findAll(*this, {text, regex, caseSensitive, wholeWord}, &replacement);
  const long from = send(*this, Base::SCI_GETSELECTIONSTART), to = send(*this, Base::SCI_GETSELECTIONEND);
  const auto hit = std::find_if(hits.begin(), hits.end(),
                                [&](const SearchHit& h) { return h.from == from && h.to == to; });
  const bool found = hit != hits.end();
  if (found) {
    const UndoStep step(*this);
    const QByteArray bytes = hit->replacement.toUtf8();
    send(*this, Base::SCI_SETTARGETRANGE, from, to);
    SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(bytes.size()), bytes.constData());
    send(*this, Base::SCI_SETSEL, from + bytes.size(), from + bytes.size());
  }
  find(text, regex, caseSensitive, wholeWord, true);
  return found;
}

int KernelEditor::countMatches(const QString& text, bool regex, bool caseSensitive, bool wholeWord) const {
  return static_cast<int>(findAll(*this, {text, regex, caseSensitive, wholeWord}, nullptr).size());
}

QString KernelEditor::regexError(const QString& text) {
  const QRegularExpression expression(text);
  return expression.isValid() ? QString() : expression.errorString();
}

}  // namespace wb
