// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ScalarType.h>

namespace wb {

/// While it lives, float64 is torch's default dtype. A problem's reference whose inputs are whole numbers, as
/// a model of a short type that begins with an embedding, knows by it that it is called in float64
/// (resources/python/warpbench_references.py); and so does one in its own process, in calls that this thread
/// prepares there.
class WideDefault {
 public:
  WideDefault();
  ~WideDefault();
  WideDefault(const WideDefault&) = delete;
  WideDefault& operator=(const WideDefault&) = delete;
  /// Whether there is one on this thread.
  [[nodiscard]] static bool isInForce();

 private:
  at::ScalarType before_;
};

}  // namespace wb
