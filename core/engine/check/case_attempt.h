// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/trivial/other_answers.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// The result of one draw of a case's inputs.
struct CaseAttempt {
  CaseCheck check;
  /// Looked for only where the candidate passes.
  OtherAnswers others;
  std::int64_t outputElements = 0;
};

/// Takes one draw through candidate, reference and judgement, the candidate first. The arguments are those
/// of the case, or what `inputs` makes. With `repeat` the
/// candidate runs a second time on a fresh copy of the same input, unless it is slow or its operator random.
/// Throws what torch throws while making inputs or comparing.
[[nodiscard]] CaseAttempt attemptCase(const KernelContext& kernel, const Case& definition,
                                      const Literal& call, std::uint64_t seed, bool repeat,
                                      const DrawInputs& inputs = {});

/// Runs the reference alone on such a draw, without the candidate. Errors: it failed, or has no inputs.
Result<void> runReferenceAlone(const KernelContext& kernel, const Case& definition, const Literal& call,
                               std::uint64_t seed);

}  // namespace wb
