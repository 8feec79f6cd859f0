// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// The result of one draw of a case's inputs.
struct CaseAttempt {
  CaseCheck check;
  /// Trivial answers that pass too; looked for only where the candidate passes.
  std::vector<std::string> trivial;
  std::int64_t outputElements = 0;
  /// The inputs have no negative number, which may be why a trivial answer passes.
  bool neverNegative = false;
};

/// Makes the arguments of a draw from its seed.
using DrawInputs = std::function<Result<Stack>(std::uint64_t seed)>;

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

/// Whether an operator draws from torch's generators. Both sides start from the same state, so that a
/// candidate that draws from them as ATen does is right, and one with a generator of its own cannot be judged
/// by its values.
[[nodiscard]] bool isRandom(const c10::OperatorHandle& op);
/// Whether that, or a problem's reference, draws random numbers, as far as that was seen.
[[nodiscard]] bool isRandom(const KernelContext& kernel);
/// Runs a call of the reference, and sees of a problem's whether it draws from torch's generator of the
/// device. In a process of its own it has another one, and nothing is seen.
Result<void> runSeeingDraws(const KernelContext& kernel, const std::function<Result<void>()>& run);

/// Whether an operator returns uninitialised memory, as empty_like does. Its values mean nothing, and the
/// outcome of comparing them would be luck.
[[nodiscard]] bool isUninitialised(const c10::OperatorHandle& op);

}  // namespace wb
