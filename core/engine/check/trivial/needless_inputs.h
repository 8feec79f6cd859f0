// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/engine/cases/kernel_context.h"

namespace wb {

/// What a problem's reference was asked and gave, and how long that took.
struct ReferenceAnswer {
  const Stack& inputs;
  const Stack& outputs;
  double seconds = 0;
};

/// What shows that a problem's answer hardly depends on its inputs, or on one of them, so that a kernel need
/// not look at it: "the answer to other inputs", "the answer to another 'a1'". A kernel that adds the bias
/// alone passes where products of the weights are within the tolerance. `draw` gives other inputs, by its
/// number. Nothing where the inputs matter, and where to ask takes too long or too much memory. Throws what
/// torch throws.
[[nodiscard]] std::optional<std::string> needlessInputs(
    const KernelContext& kernel, const ReferenceAnswer& known,
    const std::function<Result<Stack>(std::uint64_t draw)>& draw);

}  // namespace wb
