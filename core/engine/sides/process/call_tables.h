// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {

/// Where parts of a library lie in memory: address and bytes.
using CodeParts = std::vector<std::pair<std::uintptr_t, std::size_t>>;
/// Words in memory, with what was in them.
using Words = std::vector<std::pair<const std::uintptr_t*, std::uintptr_t>>;

/// The tables through which a library calls others.
struct CallTable {
  /// The entries that hold an address outside of the library's own code.
  Words filled;
  /// Those that lead into it: the loader fills them in when they are first needed.
  std::vector<const std::uintptr_t*> unfilled;
};

/// A library's name without its folder; "" for the program itself.
[[nodiscard]] std::string_view libraryName(const dl_phdr_info& library);
[[nodiscard]] CodeParts codeOf(const dl_phdr_info& library);
[[nodiscard]] const ElfW(Dyn) * dynamicOf(const dl_phdr_info& library);

[[nodiscard]] CallTable callTableOf(const dl_phdr_info& library);
[[nodiscard]] bool isAsBefore(const Words& words);
/// Whether an address lies in one of the parts, which are in order.
[[nodiscard]] bool isWithin(const CodeParts& parts, std::uintptr_t address);

}  // namespace wb
