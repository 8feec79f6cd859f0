// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/compile/compiler.h"
#include "core/engine/guest/guest_session.h"

namespace wb {

/// A compiler whose kernels run in a guest. The judge compiles what has to be compiled, which only reads the
/// source; the guest loads it. The reference of a problem is loaded into a guest of its own, `reference`,
/// which may be null for a kernel that brings none. `real` must outlive it.
[[nodiscard]] std::unique_ptr<Compiler> guestCompiler(Compiler& real, std::shared_ptr<GuestSession> session,
                                                      std::shared_ptr<GuestSession> reference);

}  // namespace wb
