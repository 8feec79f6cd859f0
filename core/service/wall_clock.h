// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace wb {

/// Now, in seconds since 1970.
[[nodiscard]] inline double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace wb
