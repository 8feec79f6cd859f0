// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/quiet_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// An order and its answer take some ten microseconds, and one that waits for its turn a millisecond or two.
constexpr double atOnceSeconds = 3e-4;
constexpr int tries = 5;
constexpr std::size_t bytes = 4096;

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How long an order takes with its answer, by the median of some; nothing where the device is in error.
std::optional<double> orderSeconds(const Driver& cuda, CUdeviceptr memory) {
  std::array<double, tries> seconds{};
  for (double& each : seconds) {
    const auto start = Clock::now();
    if (cuda.memsetD8Async(memory, 0, bytes, nullptr) != CUDA_SUCCESS ||
        cuda.ctxSynchronize() != CUDA_SUCCESS)
      return std::nullopt;
    each = since(start);
  }
  std::nth_element(seconds.begin(), seconds.begin() + tries / 2, seconds.end());
  return seconds[tries / 2];
}

}  // namespace

bool isDeviceQuiet(double patience) {
  const Driver* const cuda = driver();
  CUdeviceptr memory{};
  if (cuda == nullptr || cuda->memAlloc(&memory, bytes) != CUDA_SUCCESS) return false;
  const auto start = Clock::now();
  bool isQuiet = false, isWhole = cuda->ctxSynchronize() == CUDA_SUCCESS;
  do {
    const std::optional<double> seconds = isWhole ? orderSeconds(*cuda, memory) : std::nullopt;
    isWhole = seconds.has_value();
    isQuiet = seconds && *seconds < atOnceSeconds;
  } while (isWhole && !isQuiet && since(start) < patience);
  return cuda->memFree(memory) == CUDA_SUCCESS && isQuiet;
}

}  // namespace wb
