// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace wb {

/// The time for which this thread has had a processor, in seconds. What others took from it on a busy machine
/// does not count.
inline double workedSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace wb
