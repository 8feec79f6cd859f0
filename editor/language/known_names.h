// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wb {

/// A name that the editor can offer, and how it is called.
struct KnownName {
  /// What stands before it, "tl" in "tl.load(…)"; mostly empty.
  QString qualifier;
  /// The name, "load".
  QString name;
  /// The call tip, "load(pointer, …)"; empty for a plain word.
  QString call;
  bool operator==(const KnownName&) const = default;
};
using KnownNames = std::vector<KnownName>;

/// "tl.load(pointer, mask)" or "__global__", taken apart.
[[nodiscard]] KnownName knownName(const QString& entry);

/// The names of a language, for a name as KernelEditor::setLanguage takes it: its words, CUDA's functions or
/// Triton's.
[[nodiscard]] const KnownNames& languageNames(const QString& lexer);

/// ATen's operators from their names and schemas ("aten::sum.dim_IntList", "aten::sum.dim_IntList(Tensor
/// self, …) -> Tensor"). An overload is an entry of its own; those that write into given outputs come last.
[[nodiscard]] std::shared_ptr<const KnownNames> operatorNames(
    const std::vector<std::pair<std::string, std::string>>& schemas);

/// Whether operators are called behind this qualifier: at::, torch:: or torch.
[[nodiscard]] bool isOperatorQualifier(const QString& qualifier);

}  // namespace wb
