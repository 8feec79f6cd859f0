// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/engine/device/driver.h"
#include "core/engine/time/clocks/events.h"

namespace wb {

/// The work that a clock itself puts on the device, on the legacy default stream, which is torch's default.
class DeviceWork {
 public:
  explicit DeviceWork(const Driver& cuda) : cuda_(cuda) {}
  ~DeviceWork();
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;

  /// Makes a buffer of 1.25 times the L2 cache, and kernels that do nothing and next to nothing; measures the
  /// tick of events.
  Result<void> open(Events& events, std::int64_t l2Bytes);
  /// Writes the whole buffer, which takes out of the L2 what was there.
  Result<void> evict();
  /// Fills a few bytes; the record of this fill is found by its size.
  Result<void> mark();
  [[nodiscard]] std::int64_t evictBytes() const { return static_cast<std::int64_t>(bytes_); }
  /// Keeps the device busy for about evictSeconds(), without the mark of a call.
  Result<void> keepBusy();
  /// Fills a few bytes after a call.
  Result<void> end();
  static constexpr std::int64_t markBytes = 29, endBytes = 31;
  [[nodiscard]] double evictSeconds() const { return evictSeconds_; }
  [[nodiscard]] bool hasKernels() const { return empty_ != nullptr && small_ != nullptr; }
  Result<void> emptyKernel();
  /// Runs a kernel that reads a number and writes one, and so starts and ends as other kernels do.
  Result<void> smallKernel();
  /// The tick of events in seconds; 0 where it could not be measured.
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
