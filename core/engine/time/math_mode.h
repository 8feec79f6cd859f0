// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// What torch may do for speed at the cost of digits, on both sides alike: "TF32 off, reduced-precision sums
/// on". "" on a CPU.
[[nodiscard]] std::string mathMode(const std::string& device);

}  // namespace wb
