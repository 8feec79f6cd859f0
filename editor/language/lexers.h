// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QByteArray>
#include <QString>
#include <memory>

class QsciLexer;

namespace wb {

/// C++ with types in a colour of their own, and the names of ATen that kernels use.
class TorchCppLexer : public QsciLexerCPP {
  Q_OBJECT
 public:
  explicit TorchCppLexer(QObject* parent = nullptr);
  [[nodiscard]] const char* language() const override;
  [[nodiscard]] const char* keywords(int set) const override;
};

/// Python with the names of Triton and torch.
class KernelPythonLexer : public QsciLexerPython {
  Q_OBJECT
 public:
  explicit KernelPythonLexer(QObject* parent = nullptr);
  [[nodiscard]] const char* keywords(int set) const override;
};

/// The lexer called "cpp", "cuda" or "python"; nullptr for anything else.
[[nodiscard]] std::unique_ptr<QsciLexer> makeLexer(const QString& name);

}  // namespace wb
