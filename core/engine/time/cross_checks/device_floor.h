// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/call.h"
#include "core/model/measurement.h"
#include "core/model/profile.h"

namespace wb {

/// The bytes that one call must move: each input is read once, each output written once. Views, and the
/// repetitions of an expanded tensor, do not count.
struct MovedBytes {
  std::int64_t read = 0, written = 0;
};
[[nodiscard]] MovedBytes movedBytes(const Stack& arguments, const OutputPlan& outputs);

/// The seconds that no kernel can beat, and what they come from.
struct DeviceFloor {
  double seconds = 0;
  std::string by;
};
/// The floor of a call. With `cold` the inputs are in the device's memory only, but what is written may stay
/// in the cache (`l2Bytes`); else everything may be in the L2. Not every operator reads all that it gets (an
/// embedding does not), so a floor that the reference (seconds per call) stays below does not count. A call
/// takes at least what an empty kernel takes. Zero where the ceilings do not say.
[[nodiscard]] DeviceFloor deviceFloor(const MovedBytes& bytes, const Ceilings& ceilings, std::int64_t l2Bytes,
                                      bool cold, double referenceSeconds);

}  // namespace wb
