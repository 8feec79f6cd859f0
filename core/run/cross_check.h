// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/measurement.h"

namespace wb {

/// Why what a worker says of a case's time is not scored, with the figures; "" where nothing speaks against
/// it. A kernel runs in the worker's process, so the claim is recomputed and bounded from outside: the ratio
/// and the place of its interval follow from the samples, all sampled calls must have fitted into the
/// `seconds` that went by from the step's begin to its end, by the clock of the process that asks, a device
/// cannot be faster than its floor, and a kernel's time by the device's records has to agree with events.
[[nodiscard]] std::string whyNotScored(const CaseTiming& timing, double seconds);

}  // namespace wb
