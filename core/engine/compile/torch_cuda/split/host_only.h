// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// The names that device code cannot know: tensors, streams, the standard library's containers, and what the
/// user declared with them.
class HostOnlyNames {
 public:
  /// Whether the lexemes [begin, end) name one of them.
  [[nodiscard]] bool mentionedIn(Lexemes lexemes, std::size_t begin, std::size_t end) const;
  void add(std::string name) { own_.insert(std::move(name)); }

 private:
  std::set<std::string, std::less<>> own_;
};

/// Whether the device's part keeps a declaration (not the definition of a function or class): it keeps types,
/// constants, what is qualified, names of namespaces. The name of a declaration that it does not keep becomes
/// one of the host's.
[[nodiscard]] bool deviceKeeps(Lexemes lexemes, const Item& declaration, HostOnlyNames& hostOnly);

}  // namespace wb
