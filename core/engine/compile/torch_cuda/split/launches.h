// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/compile/text/lexer.h"

namespace wb {

/// A launch `kernel<T><<<grid, block>>>(x, n)`, as indices of lexemes.
struct LaunchSite {
  /// The first lexeme of the kernel's expression.
  std::size_t kernel = 0;
  /// The first '<' of "<<<" and the first '>' of ">>>".
  std::size_t open = 0, close = 0;
  std::size_t argumentsOpen = 0, argumentsClose = 0;
};

/// All launches in the order of their "<<<", up to the first that is broken.
struct Launches {
  std::vector<LaunchSite> sites;
  /// There is a "<<<" that does not belong to a whole launch, such as one that macros put together, or a part
  /// of another launch.
  bool broken = false;
};
[[nodiscard]] Launches findLaunches(Lexemes lexemes);

}  // namespace wb
