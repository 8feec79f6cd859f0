// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/cases/device_values.h"
#include "core/engine/sides/memory/constant_pages.h"
#include "core/engine/time/timer.h"
#include "core/model/profile.h"

namespace wb {

/// What all timings of a worker share.
struct MeasuredDevice {
  /// The clock; null where the device has none, and `noClock` says why.
  std::unique_ptr<Clock> clock;
  std::string noClock;
  /// Gives timed calls on a GPU new contents; null on a CPU, and where it could not be made.
  std::shared_ptr<const DeviceValues> values;
  /// The index of the GPU; -1 on a CPU.
  int device = -1;
  /// The UUID of the GPU; "" on a CPU.
  std::string uuid;
  /// The bytes of the cache in which timed inputs must not stay.
  std::int64_t cacheBytes = 0;
  std::optional<Ceilings> ceilings;
  /// What torch's threads took to begin and end before any kernel's code was there (thread_team.h); 0 where
  /// that is not known.
  double teamSeconds = 0;
  /// Of this process, mapped before each timing on a CPU.
  ConstantPages constants;
  /// Whether CUPTI was asked what runs, and whether it cannot be asked here.
  bool watched = false, unwatched = false;
  /// How long it took to look at one case's activity the last time.
  double watchSeconds = 0;
};

}  // namespace wb
