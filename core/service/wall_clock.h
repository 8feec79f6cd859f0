// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace wb {

/// Now, in seconds since 1970.
[[nodiscard]] inline double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Tells the times of one thing that happens, in seconds since 1970: when it began by the wall clock, and all
/// that follows by the steady one, so that durations are true when somebody sets the clock meanwhile.
class SteadyStamps {
 public:
  explicit SteadyStamps(double began = secondsNow()) : began_(began) {}
  /// Goes on with something that began at `began`, perhaps before this process did.
  [[nodiscard]] static SteadyStamps resumed(double began) {
    return SteadyStamps(std::max(began, secondsNow()));
  }
  [[nodiscard]] double began() const { return began_; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - steadily_).count();
  }
  [[nodiscard]] double now() const { return began_ + seconds(); }

 private:
  double began_;
  std::chrono::steady_clock::time_point steadily_ = std::chrono::steady_clock::now();
};

}  // namespace wb
