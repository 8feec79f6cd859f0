// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// The names that the host's part cannot know: those of cooperative groups, nvcuda, libcu++ and cub, whose
/// headers only nvcc and NVRTC take, and what the user declared with them.
class DeviceOnlyNames {
 public:
  /// Its namespace is the device's from now on: a user may have a namespace `cub` of another kind.
  void include(std::string_view header);
  /// Whether the lexemes [begin, end) name one of them.
  [[nodiscard]] bool mentionedIn(Lexemes lexemes, std::size_t begin, std::size_t end) const;
  void add(std::string name) { own_.insert(std::move(name)); }
  /// Adds what a declaration that names one of them introduces: a type, a constant, the members of a
  /// namespace.
  void addDeclared(Lexemes lexemes, const Item& declaration);

 private:
  [[nodiscard]] bool isNamed(Lexemes lexemes, std::size_t at, std::size_t end) const;
  void openNamespace(std::string_view name);

  std::set<std::string, std::less<>> spaces_, own_;
  /// What `namespace cg = cooperative_groups;` stands for.
  std::map<std::string, std::string, std::less<>> aliases_;
};

/// What the host's part does without.
struct DeviceOnlyItems {
  /// The first and last lexemes, in their order.
  std::vector<std::pair<std::size_t, std::size_t>> dropped;
  /// Why nvcc must compile the file: code of the host names what only nvcc knows there. "" where none does.
  std::string unfit;
};

/// Finds the declarations that name what the host's part cannot know, and that it does not need either. Their
/// names are added to `names`.
[[nodiscard]] DeviceOnlyItems findDeviceOnly(Lexemes lexemes, const std::vector<Item>& items,
                                             DeviceOnlyNames& names);

}  // namespace wb
