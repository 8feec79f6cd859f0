// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/engine/time/measured_device.h"
#include "core/model/profile.h"

namespace wb {

/// The ceilings that were measured on this card before and kept in the user's cache.
[[nodiscard]] std::optional<Ceilings> rememberedCeilings(const std::string& uuid);

/// Measures what the GPU reaches and keeps it in the cache: bandwidths and peaks of plain arithmetic by small
/// kernels, peaks of the tensor cores by cuBLAS on matrices of 8192², what the clock measures when it is
/// readied, and whether emptying the L2 empties it. It takes about 0.5 s; nobody else measures on the card
/// meanwhile. What cannot be measured stays 0. Errors: no NVRTC, one of Warpbench's own kernels fails, a
/// stop.
Result<Ceilings> measureCeilings(MeasuredDevice& measuredDevice, const std::string& architecture,
                                 const std::stop_token& stop);

}  // namespace wb
