// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>

#include "core/base/result.h"
#include "core/engine/device/driver.h"

namespace wb {

/// A few events of the device, which are made once.
class Events {
 public:
  static constexpr std::size_t count = 16;
  explicit Events(const Driver& cuda) : cuda_(cuda) {}
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  Result<void> open();
  Result<void> record(std::size_t event, CUstream stream);
  /// Whether the device has reached an event.
  Result<bool> isReached(std::size_t event);
  /// Waits for an event. An error of a kernel before it shows here.
  Result<void> wait(std::size_t event);
  /// The seconds between two events that were waited for.
  Result<double> between(std::size_t start, std::size_t end);

 private:
  const Driver& cuda_;
  std::array<CUevent, count> events_{};
};

}  // namespace wb
