// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "core/engine/compile/compiler.h"

namespace wb {

/// The argument that makes a worker program a guest, and the descriptor on which its judge speaks.
inline constexpr std::string_view guestArgument = "--guest";
inline constexpr int guestSocket = 3;

/// The guest's end: does what the judge on `guestSocket` orders until that goes away. It holds what a kernel
/// needs to run, and nothing that would help it to cheat: no expected answer, no seed, no clock that counts,
/// no way to whom the verdict is told. User code may do here what it likes. Gives the exit code.
int serveGuest(const std::function<Compiler*(std::string_view language)>& compilerFor);

}  // namespace wb
