// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/engine/device/driver.h"
#include "core/engine/time/clocks/events.h"

namespace wb {

/// What a clock itself puts on the device, on the legacy default stream, torch's default.
class DeviceWork {
 public:
  explicit DeviceWork(const Driver& cuda) : cuda_(cuda) {}
  ~DeviceWork();
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;

  /// A buffer of at least twice the L2 cache, kernels that do nothing and next to nothing; measures what
  /// events tick at.
  Result<void> open(Events& events, std::int64_t l2Bytes);
  /// Writes the whole buffer: what was in the L2 is not there any more.
  Result<void> evict();
  /// A fill of a few bytes, to be found among records by its size.
  Result<void> mark();
  [[nodiscard]] std::int64_t evictBytes() const { return static_cast<std::int64_t>(bytes_); }
  static constexpr std::int64_t markBytes = 29;
  [[nodiscard]] double evictSeconds() const { return evictSeconds_; }
  [[nodiscard]] bool hasKernels() const { return empty_ != nullptr && small_ != nullptr; }
  Result<void> emptyKernel();
  /// A kernel that reads a number and writes one: what launches and ends as others do.
  Result<void> smallKernel();
  /// Of events, in seconds; 0 where it was not seen.
  [[nodiscard]] double tick() const { return tick_; }

 private:
  Result<void> fill(std::size_t bytes);
  Result<void> launch(CUfunction function, void** arguments);
  Result<void> measureEvict(Events& events);
  Result<void> measureTick(Events& events);

  const Driver& cuda_;
  CUdeviceptr buffer_ = 0;
  std::size_t bytes_ = 0;
  CUmodule module_ = nullptr;
  CUfunction empty_ = nullptr, small_ = nullptr;
  double evictSeconds_ = 0, tick_ = 0;
  unsigned char value_ = 0;
};

}  // namespace wb
