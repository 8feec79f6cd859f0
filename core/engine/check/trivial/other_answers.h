// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/trivial/needless_inputs.h"

namespace wb {

/// Makes arguments from a number.
using DrawInputs = std::function<Result<Stack>(std::uint64_t number)>;

/// What would pass beside the right answer.
struct OtherAnswers {
  /// "zeros", "the answer to other inputs".
  std::vector<std::string> all;
  /// The inputs have no negative number, which may be why one of them passes.
  bool neverNegative = false;
};

/// Looks for trivial answers that pass in the place of the reference's, and where there are none, for inputs
/// that a problem's answer hardly depends on. `draw` gives other inputs of a problem's own; empty for an
/// operator. Throws what torch throws.
[[nodiscard]] OtherAnswers otherAnswers(const KernelContext& kernel, const ReferenceAnswer& reference,
                                        const DrawInputs& draw);

}  // namespace wb
