// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/time/timer.h"
#include "core/model/profile.h"

namespace wb {

/// What all timings of a worker share.
struct TimingBench {
  std::unique_ptr<Clock> clock;  ///< null where the device has none; `noClock` says why
  std::string noClock;
  int device = -1;              ///< index of the GPU; -1 on a CPU
  std::string uuid;             ///< of the GPU; "" on a CPU
  std::int64_t cacheBytes = 0;  ///< of the cache that timed inputs must not stay in
  std::optional<Ceilings> ceilings;
  bool watched = false, unwatched = false;  ///< CUPTI was asked what runs; it cannot be asked here
  double watchSeconds = 0;                  ///< what looking at one case's activity took last
};

}  // namespace wb
