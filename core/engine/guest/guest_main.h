// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "core/engine/compile/compiler.h"

namespace wb {

/// The guests' end: becomes the parent of guests, and each of these does what the judge on `guestSocket`
/// orders until that goes away. A guest holds what a kernel needs to run, and nothing that would help it to
/// cheat: no expected answer, no seed, no clock that counts, no way to whom the verdict is told. User code
/// may do there what it likes. `begins` is called first in each guest, and `warms` in their parent when a
/// judge asks for it (GuestParent::warmUp); either may be empty. Gives the exit code.
int serveGuests(const std::function<Compiler*(std::string_view language)>& compilerFor,
                const std::function<void()>& begins = {}, const std::function<void()>& warms = {});

}  // namespace wb
