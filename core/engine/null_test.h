// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/base/result.h"
#include "core/engine/time/timer.h"

namespace wb {

/// ATen's relu of float32 against itself, a few times over: the worst |ratio − 1|. `device`: index of the
/// GPU, -1 for the CPU. Errors: those of the clock; a stop.
Result<double> nullTest(Clock& clock, int device, std::int64_t elements, std::stop_token stop);

}  // namespace wb
