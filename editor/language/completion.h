// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciabstractapis.h>

#include <QString>
#include <QStringList>
#include <memory>

#include "editor/language/known_names.h"

namespace wb {

/// Completion and call tips from the names of a language, from ATen's operators and from the text around the
/// caret. QScintilla's own QsciAPIs
/// prepares its list in a thread and crashes when it is destroyed meanwhile (its QThread waits in its
/// destructor, 2.13.3); a few thousand names need neither.
class Completion : public QsciAbstractAPIs {
  Q_OBJECT
 public:
  /// Belongs to `lexer`, which must have no other. `names` outlives it.
  Completion(QsciLexer* lexer, const KnownNames& names);
  /// The operators behind at::, torch:: and torch.; may be null.
  void setOperators(std::shared_ptr<const KnownNames> operators) { operators_ = std::move(operators); }

  /// Adds the words around the caret too, where the lexer has an editor.
  void updateAutoCompletionList(const QStringList& context, QStringList& list) override;
  QStringList callTips(const QStringList& context, int commas, QsciScintilla::CallTipsStyle style,
                       QList<int>& shifts) override;
  /// The ways to call a name, the most likely ones first; empty for an unknown one.
  [[nodiscard]] QStringList callsOf(const QString& qualifier, const QString& name) const;

 private:
  const KnownNames& names_;
  std::shared_ptr<const KnownNames> operators_;
};

}  // namespace wb
