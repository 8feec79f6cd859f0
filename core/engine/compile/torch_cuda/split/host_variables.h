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
/// the device names the constant. Functions of classes without a qualifier are known by the same signs. All
/// files are read first, then asked about.
class HostVariables {
 public:
  void read(Lexemes lexemes, const std::vector<Item>& items);
  /// To be called when all files were read.
  void decide();

  /// Whether this declaration of a namespace is a constant of the host's.
  [[nodiscard]] bool isHosts(Lexemes lexemes, const Item& declaration) const;
  /// Whether the lexemes [begin, end) name a function or constant of the host's, or handle exceptions.
  [[nodiscard]] bool needsHost(Lexemes lexemes, std::size_t begin, std::size_t end) const;
  /// Whether code of the device names a function of a class, by its own name or a class's.
  [[nodiscard]] bool isNamed(Lexemes lexemes, const Item& memberFunction) const;

 private:
  using Words = std::set<std::string, std::less<>>;
  struct Constant {
    Words words;
    bool maybeCalls = false;
  };

  void readItems(Lexemes lexemes, const std::vector<Item>& items);
  void readType(Lexemes lexemes, const Item& item);
  [[nodiscard]] bool isHosts(std::string_view word) const;

  Words hostFunctions_, otherFunctions_;
  /// Constants of the host's, and what code of the device names, directly or through what it names: "x", and
  /// ".x" for a member of an object.
  Words hostConstants_, named_;
  /// The words of macros and of functions of classes.
  std::multimap<std::string, Words, std::less<>> macros_, members_;
  std::multimap<std::string, Constant, std::less<>> constants_;
};

}  // namespace wb
