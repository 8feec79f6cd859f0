// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/engine/cases/kernel_context.h"

namespace wb {

/// Keeps in mind what the reference has answered, or that it gave no answer that can be relied on, where it
/// is to be asked once more. What is large is taken over, and not copied.
void remember(const KernelContext& kernel, AnsweredHere&& answered);
/// So much is kept in mind that it should be asked before the next case.
[[nodiscard]] bool isMuchToAsk(const FurtherQuestions& further);

/// What came of asking the reference where no kernel has ever been.
struct SaidThere {
  /// It says something else than here, in words; "" where it does not, or that cannot be known.
  std::string other;
  /// Somebody keeps it from being asked, in words; "" for nobody.
  std::string kept;
};
/// Asks it what was remembered: whether it gives another answer, whether a problem's get_inputs() gives other
/// inputs, and where it gave no steady answer here, whether it gives one there. Each case is asked about
/// once, in an order that nobody knows; of many that take long some are left out.
[[nodiscard]] SaidThere askThere(const KernelContext& kernel);

}  // namespace wb
