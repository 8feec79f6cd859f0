// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/runner/batch/batch_place.h"

namespace wb {

/// The place of batches that lie on a target's host, or on its login node, and are done from there. The
/// folder here has what they are and a copy of what they have written, so that a lost connection loses
/// nothing.
[[nodiscard]] std::unique_ptr<BatchPlace> batchPlaceThere(const RunTarget& target);

}  // namespace wb
