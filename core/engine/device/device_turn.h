// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

namespace wb {

/// Has the current device turn to this process: it does nothing there, and this waits for it. A GPU takes
/// some 0.15 ms to turn from one process to another, and longer while the other has work there.
class DeviceTurn {
 public:
  DeviceTurn() = default;
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;
  ~DeviceTurn();
  /// Does nothing without a device. An error is seen by what comes after it.
  void take();

 private:
  /// Memory that nobody reads.
  CUdeviceptr nothing_ = 0;
};

}  // namespace wb
