// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

/// What one multiprocessor of an architecture holds. Source: CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability", and the allocation units of NVIDIA's occupancy calculator.
struct MultiprocessorLimits {
  int warpSize = 32;
  /// How many can be resident at most.
  int warps = 64, blocks = 32;
  /// The registers of 32 bits.
  int registers = 65536;
  int registersPerThread = 255;
  /// A warp gets registers in portions of this size.
  int registerUnit = 256;
  /// For registers, the warps of a block are rounded up to a multiple of this.
  int warpUnit = 4;
  /// The bytes of shared memory.
  std::int64_t shared = 0;
  /// The bytes for which a block may ask.
  std::int64_t sharedPerBlock = 0;
  /// The bytes of each block that the system takes.
  std::int64_t sharedReserved = 1024;
  /// Shared memory is given in portions of so many bytes.
  std::int64_t sharedUnit = 128;
};
/// The limits of "sm_90"; nothing for an architecture that is not known.
[[nodiscard]] std::optional<MultiprocessorLimits> limitsOf(std::string_view architecture);

/// How many warps of a kernel can be resident, and what keeps it from more.
struct Occupancy {
  /// The blocks per multiprocessor; 0 when it cannot be launched.
  int blocks = 0;
  /// The warps per multiprocessor.
  int warps = 0;
  /// The share of the warps that fit, 0 to 1.
  double fraction = 0;
  /// What limits it: "registers", "shared memory", "block size", "blocks"; joined by ", " when equal.
  std::string limiter;
  /// How many blocks each limit would allow.
  int byRegisters = 0, byShared = 0, byWarps = 0, byBlocks = 0;
};
/// The occupancy; `threads` and `sharedBytes` (static and dynamic) are per block, `registers` per thread.
[[nodiscard]] Occupancy occupancy(const MultiprocessorLimits& limits, int threads, int registers,
                                  std::int64_t sharedBytes);

/// The blocks of the grid divided by what all multiprocessors hold at once: 2.03 waves have a short tail.
[[nodiscard]] double waves(std::int64_t gridBlocks, int residentBlocks, int multiprocessors);

}  // namespace wb
