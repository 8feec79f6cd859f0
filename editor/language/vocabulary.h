// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace wb {

/// Words of the languages, by what they are: for colours and for completion. Space separated, as lexers want
/// them.
struct Vocabulary {
  QByteArray keywords, builtins, types;
};
[[nodiscard]] const Vocabulary& cppVocabulary();
[[nodiscard]] const Vocabulary& cudaVocabulary();
[[nodiscard]] const Vocabulary& pythonVocabulary();

/// Entries for completion and call tips, "name(arguments)" for functions: `lexer` as in
/// KernelEditor::setLanguage.
[[nodiscard]] QStringList completions(const QString& lexer);

}  // namespace wb
