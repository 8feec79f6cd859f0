// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/completion.h"

#include <Qsci/qscilexer.h>

#include <algorithm>

namespace wb {
namespace {

/// Where the last "::" or "." before `end` ends; 0 without one.
qsizetype endOfQualifier(const QString& name) {
  const qsizetype colons = name.lastIndexOf(QLatin1String("::"));
  if (colons >= 0) return colons + 2;
  return name.lastIndexOf(QLatin1Char('.')) + 1;
}

QString withoutSeparator(QString qualifier) {
  while (qualifier.endsWith(QLatin1Char(':')) || qualifier.endsWith(QLatin1Char('.'))) qualifier.chop(1);
  return qualifier;
}

}  // namespace

Completion::Completion(QsciLexer* lexer, const QStringList& entries) : QsciAbstractAPIs(lexer) {
  for (const QString& entry : entries) {
    const QString full = entry.section(QLatin1Char('('), 0, 0);
    const qsizetype split = endOfQualifier(full);
    entries_.push_back({withoutSeparator(full.left(split)), full.mid(split),
                        full.size() == entry.size() ? QString() : entry.mid(split)});
  }
}

void Completion::updateAutoCompletionList(const QStringList& context, QStringList& list) {
  if (context.isEmpty()) return;
  const QString prefix = context.last();
  const QString qualifier = context.size() > 1 ? context[context.size() - 2] : QString();
  const bool known =
      !qualifier.isEmpty() && std::any_of(entries_.begin(), entries_.end(),
                                          [&](const Entry& entry) { return entry.qualifier == qualifier; });
  if (prefix.isEmpty() && !known) return;
  for (const Entry& entry : entries_) {
    if (known && entry.qualifier != qualifier) continue;
    if (entry.name.startsWith(prefix) && !list.contains(entry.name)) list << entry.name;
  }
}

QStringList Completion::callTips(const QStringList& context, int, QsciScintilla::CallTipsStyle, QList<int>&) {
  QStringList tips;
  if (context.isEmpty()) return tips;
  // The last word is what follows "(", which is empty.
  const QString name = context.size() > 1 ? context[context.size() - 2] : context.last();
  for (const Entry& entry : entries_) {
    if (entry.name == name && !entry.call.isEmpty()) tips << entry.call;
  }
  return tips;
}

}  // namespace wb
