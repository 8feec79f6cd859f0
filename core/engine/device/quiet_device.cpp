// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/quiet_device.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// An order and its answer take some ten microseconds, and one that waits for its turn a millisecond or two.
constexpr double atOnceSeconds = 3e-4;
constexpr int tries = 5;
constexpr std::size_t bytes = 4096;

}  // namespace

bool isDeviceQuiet() {
  const Driver* const cuda = driver();
  CUdeviceptr memory{};
  if (cuda == nullptr || cuda->memAlloc(&memory, bytes) != CUDA_SUCCESS) return false;
  std::array<double, tries> seconds{};
  bool done = cuda->ctxSynchronize() == CUDA_SUCCESS;
  for (double& each : seconds) {
    const auto start = std::chrono::steady_clock::now();
    done = done && cuda->memsetD8Async(memory, 0, bytes, nullptr) == CUDA_SUCCESS &&
           cuda->ctxSynchronize() == CUDA_SUCCESS;
    each = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  done = cuda->memFree(memory) == CUDA_SUCCESS && done;
  std::nth_element(seconds.begin(), seconds.begin() + tries / 2, seconds.end());
  return done && seconds[tries / 2] < atOnceSeconds;
}

}  // namespace wb
