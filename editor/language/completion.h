// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciabstractapis.h>

#include <QString>
#include <QStringList>
#include <vector>

namespace wb {

/// Completion and call tips from a fixed list of "name(arguments)". QScintilla's own QsciAPIs prepares its
/// list in a thread and crashes when it is destroyed meanwhile (its QThread waits in its destructor, 2.13.3);
/// a few hundred entries need neither.
class Completion : public QsciAbstractAPIs {
  Q_OBJECT
 public:
  /// Belongs to `lexer`, which must have no other.
  Completion(QsciLexer* lexer, const QStringList& entries);

  void updateAutoCompletionList(const QStringList& context, QStringList& list) override;
  QStringList callTips(const QStringList& context, int commas, QsciScintilla::CallTipsStyle style,
                       QList<int>& shifts) override;

 private:
  struct Entry {
    /// What stands before the name, "tl" in "tl.load(…)"; mostly empty.
    QString qualifier;
    /// The name, "load".
    QString name;
    /// The call tip, "load(pointer, …)"; empty for a plain word.
    QString call;
  };
  std::vector<Entry> entries_;
};

}  // namespace wb
