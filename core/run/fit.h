// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/run/at_work.h"

namespace wb {

/// How an event fits what its worker is doing.
struct Fit {
  /// It is about a kernel that has failed, so nobody needs it.
  bool ignored = false;
  /// What is wrong, where a worker that behaves would not say this now; "" where it fits.
  std::string misfit{};
};

/// Whether a worker that behaves, has got `work` and is at `at` would say this now. A kernel runs in the
/// worker's process and can write to its descriptors, so what comes out of order was not said by Warpbench.
[[nodiscard]] Fit fit(const Job& job, const Report& report, const JobWork& work, const AtWork& at,
                      const Event& event);

}  // namespace wb
