// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/completion.h"

#include <Qsci/qscilexer.h>

#include <QGuiApplication>
#include <QScreen>
#include <QSet>
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "editor/scintilla.h"

namespace wb {
namespace {

// More overloads than these hide the source that the tip is about.
constexpr qsizetype mostTips = 6;
/// How far from the caret words are looked for, in bytes. The whole of a long text would take 10 ms a key.
constexpr long reach = 64 << 10;

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 128;
}

/// The words around the caret that begin like this, but for the one at the caret; sorted.
QStringList wordsNear(const QsciScintilla& editor, const QByteArray& prefix) {
  const long at = caret(editor), from = std::max(0L, at - reach);
  const std::string_view all = bytesOf(editor);
  const std::string_view near =
      all.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(2 * reach));
  const std::string_view wanted(prefix.constData(), static_cast<std::size_t>(prefix.size()));
  std::set<std::string_view> words;
  for (std::size_t start = near.find(wanted); start != std::string_view::npos;
       start = near.find(wanted, start + 1)) {
    if (start > 0 ? isWord(near[start - 1]) : from > 0) continue;
    std::size_t end = start + wanted.size();
    while (end < near.size() && isWord(near[end])) ++end;
    const auto caretIn = static_cast<std::size_t>(at - from);
    const bool isOwn = start <= caretIn && caretIn <= end;
    if (!isOwn && end > start + wanted.size()) words.insert(near.substr(start, end - start));
    start = end - 1;
  }
  QStringList found;
  for (const std::string_view word : words)
    found << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
  return found;
}

/// Whether a list at the word that is typed would open on a screen. QScintilla asks the screen there for its
/// size, and would crash where there is none: in a window that is half outside, or whose screen is gone.
bool isOnScreen(const QsciScintilla& editor, const QByteArray& prefix) {
  const long at = caret(editor) - static_cast<long>(prefix.size());
  const QPoint point(static_cast<int>(send(editor, QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, at)),
                     static_cast<int>(send(editor, QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, at)));
  return QGuiApplication::screenAt(editor.viewport()->mapToGlobal(point)) != nullptr;
}

}  // namespace

Completion::Completion(QsciLexer* lexer, const KnownNames& names) : QsciAbstractAPIs(lexer), names_(names) {}

void Completion::updateAutoCompletionList(const QStringList& context, QStringList& list) {
  if (context.isEmpty()) return;
  const QString prefix = context.last();
  const QString qualifier = context.size() > 1 ? context[context.size() - 2] : QString();
  const bool operators = operators_ && isOperatorQualifier(qualifier);
  const bool known = operators || (!qualifier.isEmpty() &&
                                   std::any_of(names_.begin(), names_.end(), [&](const KnownName& each) {
                                     return each.qualifier == qualifier;
                                   }));
  if (prefix.isEmpty() && !known) return;
  const QsciScintilla* editor = lexer()->editor();
  if (editor != nullptr && !isOnScreen(*editor, prefix.toUtf8())) return;
  if (editor != nullptr && !prefix.isEmpty()) list << wordsNear(*editor, prefix.toUtf8());
  QSet<QString> there(list.begin(), list.end());
  const auto offer = [&](const KnownName& each) {
    // Names that begin with an underscore are ATen's own; who wants one types it.
    const bool own = operators && each.name.startsWith(QLatin1Char('_')) && prefix.isEmpty();
    if (own || !each.name.startsWith(prefix) || there.contains(each.name)) return;
    there.insert(each.name);
    list << each.name;
  };
  for (const KnownName& each : names_)
    if (!known || each.qualifier == qualifier) offer(each);
  if (operators)
    for (const KnownName& each : *operators_) offer(each);
}

QStringList Completion::callsOf(const QString& qualifier, const QString& name) const {
  QStringList calls;
  const auto take = [&](const KnownNames& names, const QString& wanted, QLatin1String start) {
    for (const KnownName& each : names)
      if (calls.size() < mostTips && each.name == name && !each.call.isEmpty() && each.qualifier == wanted &&
          QStringView(each.call).mid(name.size()).startsWith(start))
        calls << each.call;
  };
  take(names_, qualifier, QLatin1String());
  const bool known = std::any_of(names_.begin(), names_.end(), [&](const KnownName& each) {
    return !qualifier.isEmpty() && each.qualifier == qualifier;
  });
  if (operators_ && isOperatorQualifier(qualifier)) {
    take(*operators_, {}, QLatin1String());
  } else if (operators_ && !qualifier.isEmpty() && !known && calls.isEmpty()) {
    // What stands before it is a variable: this may be a method of a tensor.
    take(names_, {}, QLatin1String());
    take(*operators_, {}, QLatin1String("(Tensor self"));
    take(*operators_, {}, QLatin1String("(Tensor(a) self"));
  }
  return calls;
}

QStringList Completion::callTips(const QStringList& context, int, QsciScintilla::CallTipsStyle, QList<int>&) {
  if (context.isEmpty()) return {};
  // The last word is what follows "(", which is empty.
  const qsizetype at = context.size() > 1 ? context.size() - 2 : 0;
  return callsOf(at > 0 ? context[at - 1] : QString(), context[at]);
}

}  // namespace wb
