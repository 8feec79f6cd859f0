// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"

namespace wb {

/// Small kernels that do one thing as fast as the device can, compiled for it by NVRTC.
class CeilingKernels {
 public:
  static Result<CeilingKernels> compile(const std::string& architecture, int device);
  ~CeilingKernels();
  CeilingKernels(CeilingKernels&& other) noexcept;
  CeilingKernels& operator=(CeilingKernels&&) = delete;

  /// All in units per second: the best of a few runs. `bytes` of memory are used for the first two.
  Result<double> dramBytes(std::int64_t bytes);
  Result<double> l2Bytes(std::int64_t bytes);
  Result<double> l1Bytes();
  Result<double> sharedBytes();
  Result<double> fp32();
  Result<double> fp64();
  /// Enqueues a copy of floats that waits so many cycles of the device's clock first, in each of its threads.
  Result<void> spin(const void* from, void* to, std::int64_t cycles, std::int64_t elements, CUstream stream);
  /// Share of the L2's lines that `evict` takes out of it: each of some lines is read once more, by one
  /// thread that waits for it, and counts as gone when that takes a hundred cycles longer than while it was
  /// there.
  Result<double> evicted(const std::function<Result<void>()>& evict);
  /// Seconds of an empty kernel in a graph.
  Result<double> launchSeconds();

 private:
  CeilingKernels(CUmodule module, int device, int multiprocessors)
      : module_(module), device_(device), multiprocessors_(multiprocessors) {}
  struct Launch {
    const char* kernel;
    unsigned blocks, threads;
    void** arguments;
  };
  Result<void> launch(const Launch& what, CUstream stream);
  Result<double> seconds(const std::function<Result<void>()>& work);
  /// Bytes or operations of one launch over the seconds it takes.
  Result<double> rate(const Launch& what, double amount);

  CUmodule module_;
  int device_, multiprocessors_;
};

/// Best of a few runs of work on the legacy stream, in seconds, by events.
Result<double> bestSeconds(const std::function<Result<void>()>& work, int repeats);

}  // namespace wb
