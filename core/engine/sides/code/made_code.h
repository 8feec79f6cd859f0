// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/sides/code/torchs_code.h"

namespace wb {

/// Where code that was made while the process runs (isOfNoLibrary()), as oneDNN makes its convolutions, goes
/// back to when it has done its work: the place in torch's own code behind the call; 0 where another
/// library's code has called it, or nobody is found nearby. Such code has no tables by which a stack could be
/// unwound, so the stack is searched for the first address that stands behind a call. `context` is the
/// ucontext_t of a signal's handler, in which this may be called. The stack is read up to `stackEnd`, and not
/// far: what the code has put there lies before its caller.
[[nodiscard]] std::uintptr_t callerInTorch(const TorchsCode& torchs, const void* context,
                                           std::uintptr_t stackEnd);

}  // namespace wb
