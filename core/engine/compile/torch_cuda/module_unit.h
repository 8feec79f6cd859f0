// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/host/host_builder.h"
#include "core/engine/compile/module_builder.h"
#include "core/engine/compile/torch_cuda/module_flags.h"
#include "core/engine/compile/torch_cuda/split/splitter.h"

namespace wb {

/// A module's sources as one text to compile: the C++ parts, the bindings of the functions asked for, then
/// the CUDA parts. (torch compiles C++ and CUDA separately: there too a function must be declared in the C++
/// parts to be bound.)
class ModuleUnit {
 public:
  ModuleUnit(const ModuleSources& sources, const ModuleFlags& flags);

  /// The split CUDA parts; nothing where there are none.
  [[nodiscard]] const std::optional<Split>& split() const { return split_; }
  /// The file that messages about the CUDA parts name.
  [[nodiscard]] const std::string& cudaLabel() const { return cudaLabel_; }
  /// The unit for the host's compiler, beside NVRTC.
  [[nodiscard]] HostUnit host() const;
  /// The unit for nvcc.
  [[nodiscard]] HostUnit whole() const;

  /// Why torch must build it: the compiler refuses what only pybind11 or separate compilation can do. ""
  /// where the errors are the user's.
  [[nodiscard]] std::string whyUnfit(const std::vector<Diagnostic>& said) const;
  /// The messages of a compiler about host() or whole(), at places of that unit.
  [[nodiscard]] std::vector<Diagnostic> read(std::string_view output, std::string_view tool,
                                             bool whole) const;
  /// The same message at the place in the user's own file. Needs places of the unsplit CUDA text.
  [[nodiscard]] Diagnostic atUsersPlace(Diagnostic said) const;

 private:
  [[nodiscard]] std::string text(std::string_view cudaText) const;
  [[nodiscard]] Place usersPlace(const Place& place) const;
  [[nodiscard]] Place placeIn(const ModuleSources::Part& part, int line, int column) const;

  const ModuleSources& sources_;
  const ModuleFlags& flags_;
  std::optional<Split> split_;
  std::string cudaText_, cudaLabel_;
  /// The first line of each CUDA part.
  std::vector<std::pair<int, const ModuleSources::Part*>> cudaStarts_;
};

}  // namespace wb
