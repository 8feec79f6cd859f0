// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/language/lexers.h"

namespace wb {

/// C++ with CUDA's qualifiers as keywords, and its built-in variables and intrinsics as built-ins.
class CudaLexer : public TorchCppLexer {
  Q_OBJECT
 public:
  explicit CudaLexer(QObject* parent = nullptr);
  [[nodiscard]] const char* language() const override;
  [[nodiscard]] const char* keywords(int set) const override;
};

}  // namespace wb
