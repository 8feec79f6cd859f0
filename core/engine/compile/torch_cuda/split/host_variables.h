// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// Knows which constants are the host's alone, because their initialisers are no constant expressions:
/// `static const int kBlock = blockOf();`. The tokens do not say which function can be called by a compiler,
/// so there are two signs: the initialiser names what is the host's, or it may call something and no code of
/// the device names the constant. All files are read first, then asked about.
class HostVariables {
 public:
  void read(Lexemes lexemes, const std::vector<Item>& items);
  /// To be called when all files were read.
  void decide();

  /// Whether this declaration of a namespace is a constant of the host's.
  [[nodiscard]] bool isHosts(Lexemes lexemes, const Item& declaration) const;
  /// Whether the lexemes [begin, end) name a function or constant of the host's, or handle exceptions.
  [[nodiscard]] bool needsHost(Lexemes lexemes, std::size_t begin, std::size_t end) const;

 private:
  using Words = std::set<std::string, std::less<>>;
  struct Constant {
    Words words;
    bool maybeCalls = false;
  };

  void readItems(Lexemes lexemes, const std::vector<Item>& items, bool inClass);
  void addWords(Lexemes lexemes, std::size_t begin, std::size_t end, Words& words);
  [[nodiscard]] bool isHosts(std::string_view word) const;

  Words hostFunctions_, otherFunctions_;
  /// Constants of the host's, and what code of the device names, directly or through macros and constants.
  Words hostConstants_, named_;
  std::multimap<std::string, Words, std::less<>> macros_;
  std::multimap<std::string, Constant, std::less<>> constants_;
};

}  // namespace wb
