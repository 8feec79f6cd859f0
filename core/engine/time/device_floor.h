// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/call.h"
#include "core/model/measurement.h"
#include "core/model/profile.h"

namespace wb {

/// Bytes that one call must move: each input read once, each output written once; views and what an expanded
/// tensor repeats are no bytes of their own.
struct MovedBytes {
  std::int64_t read = 0, written = 0;
};
[[nodiscard]] MovedBytes movedBytes(const Stack& arguments, const OutputPlan& outputs);

/// Seconds that no kernel can beat, and what they come from.
struct DeviceFloor {
  double seconds = 0;
  std::string by;
};
/// `cold`: the inputs are in the device's memory alone, but what is written may stay in the cache
/// (`l2Bytes`); else everything may be in the L2. Not every operator reads all that it is given, as an
/// embedding does: what the reference (seconds a call) does not keep to is no floor. A call takes at least
/// what an empty kernel takes. Zero where the ceilings do not say.
[[nodiscard]] DeviceFloor deviceFloor(const MovedBytes& bytes, const Ceilings& ceilings, std::int64_t l2Bytes,
                                      bool cold, double referenceSeconds);

}  // namespace wb
