// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// What one draw of a case's inputs came to.
struct CaseAttempt {
  CaseCheck check;
  std::vector<std::string> trivial;  ///< answers without work that pass too; only where the candidate passes
  std::int64_t outputElements = 0;
  bool neverNegative = false;  ///< of the inputs, where a trivial answer passes: it may be why
};

/// One draw taken through candidate, reference and judgement, the candidate first. With `repeat` the
/// candidate runs a second time on a fresh copy of the same input, unless it is slow or its operator random.
/// Throws what torch throws while making inputs or comparing.
[[nodiscard]] CaseAttempt attemptCase(const KernelContext& kernel, const Case& definition,
                                      const Literal& call, std::uint64_t seed, bool repeat);

/// What such a draw asks of the reference, without the candidate. Errors: it failed, or has no inputs.
Result<void> runReferenceAlone(const KernelContext& kernel, const Case& definition, const Literal& call,
                               std::uint64_t seed);

/// Operators that draw from torch's generators. Both sides start from the same state, so that a candidate
/// that draws from them as ATen does is right, and one with a generator of its own cannot be judged by its
/// values.
[[nodiscard]] bool isRandom(const c10::OperatorHandle& op);

/// Operators whose result is memory as it lies, such as empty_like: its values mean nothing, and comparing
/// them would be a matter of luck.
[[nodiscard]] bool isUninitialised(const c10::OperatorHandle& op);

}  // namespace wb
