// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/lexers.h"

#include "editor/language/cuda_lexer.h"
#include "editor/language/vocabulary.h"

namespace wb {

TorchCppLexer::TorchCppLexer(QObject* parent) : QsciLexerCPP(parent) {
  setFoldComments(true);
  setFoldCompact(false);
  setFoldPreprocessor(false);
  setStylePreprocessor(true);  // only the directive itself is coloured
  setHighlightEscapeSequences(true);
}

const char* TorchCppLexer::language() const {
  return "C++";
}

// The sets of LexCPP, counted from 1: keywords, secondary keywords, documentation keywords, global classes
// (here: types).
const char* TorchCppLexer::keywords(int set) const {
  const Vocabulary& words = cppVocabulary();
  if (set == 1) return words.keywords.constData();
  if (set == 2) return words.builtins.constData();
  if (set == 4) return words.types.constData();
  return set == 3 ? QsciLexerCPP::keywords(set) : nullptr;
}

KernelPythonLexer::KernelPythonLexer(QObject* parent) : QsciLexerPython(parent) {
  setFoldComments(false);
  setFoldCompact(false);
  setHighlightSubidentifiers(false);
}

const char* KernelPythonLexer::keywords(int set) const {
  const Vocabulary& words = pythonVocabulary();
  if (set == 1) return words.keywords.constData();
  return set == 2 ? words.builtins.constData() : nullptr;
}

std::unique_ptr<QsciLexer> makeLexer(const QString& name) {
  if (name == QLatin1String("cpp")) return std::make_unique<TorchCppLexer>();
  if (name == QLatin1String("cuda")) return std::make_unique<CudaLexer>();
  if (name == QLatin1String("python")) return std::make_unique<KernelPythonLexer>();
  return nullptr;
}

}  // namespace wb
