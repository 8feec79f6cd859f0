// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/compile/compiler.h"

namespace wb {

/// A judge's answer to the guests of one kernel that name the kernels of a GPU in it (BuiltObject::kernels).
/// It compiles once, for the first of them that asks; the others get the same. Where names are refused, or
/// are others than before, nobody gets anything any more.
class KernelAnswers {
 public:
  using Compile = decltype(BuiltObject::kernels);
  explicit KernelAnswers(Compile compile) : compile_(std::move(compile)) {}

  Result<NamedKernels> of(const std::vector<std::string>& names, double seconds);
  /// From now on nothing more is compiled, since what compiles goes.
  void close() { compile_ = nullptr; }
  /// A guest has asked and was given none.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  Compile compile_;
  std::optional<std::vector<std::string>> names_;
  NamedKernels kernels_;
  bool refused_ = false;
};

}  // namespace wb
