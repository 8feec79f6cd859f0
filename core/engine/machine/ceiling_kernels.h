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

  /// All results are in units per second, the best of a few runs. The first two use `bytes` of memory.
  Result<double> dramBytes(std::int64_t bytes);
  Result<double> l2Bytes(std::int64_t bytes);
  Result<double> l1Bytes();
  Result<double> sharedBytes();
  Result<double> fp32();
  Result<double> fp64();
  /// Enqueues a copy of floats that waits so many cycles of the device's clock first, in each of its threads.
  /// From 30 000 cycles on it waits by the device's timer, 1/1980 µs for each, since the clock does not hold
  /// its pace for so long.
  Result<void> spin(const void* from, void* to, std::int64_t cycles, std::int64_t elements, CUstream stream);
  /// The share of the L2's lines that `evict` takes out of it. One thread reads some lines once more and
  /// waits for each of them; a line counts as gone when that takes a hundred cycles longer than while it was
  /// in the cache.
  Result<double> evicted(const std::function<Result<void>()>& evict);
  /// The seconds that an empty kernel takes in a graph.
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
  /// The bytes or operations of one launch divided by the seconds that it takes.
  Result<double> rate(const Launch& what, double amount);

  CUmodule module_;
  int device_, multiprocessors_;
};

/// Their text, in CUDA C++.
[[nodiscard]] std::string ceilingSource();

/// The seconds of the best of a few runs of work on the legacy stream, by events.
Result<double> bestSeconds(const std::function<Result<void>()>& work, int repeats);

}  // namespace wb
