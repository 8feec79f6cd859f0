// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Checks one case as BackendBench does, with its blind spots: arguments are made once, the reference runs on
/// them, then the candidate on the same tensors, and nothing but the outputs is compared. So an in-place
/// operator's tensor is compared with itself, and a changed input is not seen. `call` is `definition.args`
/// parsed. Throws what torch throws while making inputs or comparing.
[[nodiscard]] CaseCheck checkLikeBackendBench(const KernelContext& kernel, const Case& definition,
                                              const Literal& call, std::uint64_t seed);

}  // namespace wb
