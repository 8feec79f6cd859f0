// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace wb {

/// The words of the languages by their kind, for colours and for completion. They are separated by spaces, as
/// lexers want them.
struct Vocabulary {
  QByteArray keywords, builtins, types;
};
[[nodiscard]] const Vocabulary& cppVocabulary();
[[nodiscard]] const Vocabulary& cudaVocabulary();
[[nodiscard]] const Vocabulary& pythonVocabulary();

/// The entries for completion and call tips, "name(arguments)" for functions. `lexer` is a name as for
/// KernelEditor::setLanguage.
[[nodiscard]] QStringList completions(const QString& lexer);

}  // namespace wb
