// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/occupancy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

namespace wb {
namespace {

/// NVIDIA's calculator, for a kernel that may use all shared memory.
int blocksByNvidia(const MultiprocessorLimits& limits, int capability, int threads, int registers,
                   int shared) {
  cudaOccDeviceProp device;
  device.computeMajor = capability / 10;
  device.computeMinor = capability % 10;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = limits.warps * 32;
  device.regsPerBlock = device.regsPerMultiprocessor = limits.registers;
  device.warpSize = 32;
  device.numSms = 1;
  device.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.shared);
  device.sharedMemPerBlock = 48 * 1024;
  device.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.sharedPerBlock + limits.sharedReserved);
  device.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.sharedReserved);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = 1024;
  function.numRegs = registers;
  function.sharedSizeBytes = 0;
  function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = static_cast<std::size_t>(shared);
  function.numBlockBarriers = 0;
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result = {};
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state, threads, static_cast<std::size_t>(shared));
  EXPECT_EQ(error, CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

TEST(OccupancyTest, AgreesWithNvidiasCalculatorOnEveryArchitecture) {
  for (const int capability : {70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}) {
    const auto limits = limitsOf(fmt::format("sm_{}", capability));
    ASSERT_TRUE(limits);
    int compared = 0;
    for (int threads = 16; threads <= 1024; threads += 48)
      for (int registers = 8; registers <= 255; registers += 13)
        for (const int shared : {0, 1, 127, 4096, 10'000, 33'000, 48 * 1024, 65'536, 99 * 1024, 163 * 1024,
                                 163 * 1024 + 1, 227 * 1024}) {
          if (shared > limits->sharedPerBlock) continue;
          const int expected = blocksByNvidia(*limits, capability, threads, registers, shared);
          ASSERT_EQ(occupancy(*limits, threads, registers, shared).blocks, expected)
              << "sm_" << capability << " threads " << threads << " registers " << registers << " shared "
              << shared;
          ++compared;
        }
    EXPECT_GT(compared, 2000);
  }
}

}  // namespace
}  // namespace wb
