// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/cuda_lexer.h"

#include "editor/language/vocabulary.h"

namespace wb {

CudaLexer::CudaLexer(QObject* parent) : TorchCppLexer(parent) {}

const char* CudaLexer::language() const {
  return "CUDA C++";
}

const char* CudaLexer::keywords(int set) const {
  const Vocabulary& words = cudaVocabulary();
  if (set == 1) return words.keywords.constData();
  if (set == 2) return words.builtins.constData();
  if (set == 4) return words.types.constData();
  return TorchCppLexer::keywords(set);
}

}  // namespace wb
