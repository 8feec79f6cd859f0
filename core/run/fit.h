// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/run/at_work.h"

namespace wb {

/// What an event has to do with what its worker is at.
struct Fit {
  bool ignored = false;  ///< of a kernel that has failed: of no interest
  std::string misfit{};  ///< a worker of ours would not say it now; what is wrong. "" where it fits
};

/// Whether a worker of ours that has got `work` and is at `at` would say this now. A kernel runs in the
/// worker's process and can write to its descriptors; what comes out of order was not said by us.
[[nodiscard]] Fit fit(const Job& job, const Report& report, const JobWork& work, const AtWork& at,
                      const Event& event);

}  // namespace wb
