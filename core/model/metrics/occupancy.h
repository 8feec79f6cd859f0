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
  int warps = 64, blocks = 32;  ///< resident at most
  int registers = 65536;        ///< 32 bits each
  int registersPerThread = 255;
  int registerUnit = 256;              ///< registers are given to a warp in such portions
  int warpUnit = 4;                    ///< warps of a block are counted in multiples of this, for registers
  std::int64_t shared = 0;             ///< bytes
  std::int64_t sharedPerBlock = 0;     ///< bytes a block may ask for
  std::int64_t sharedReserved = 1024;  ///< bytes of each block taken by the system
  std::int64_t sharedUnit = 128;       ///< bytes; shared memory is given in such portions
};
/// "sm_90" → its limits; nothing for an architecture that is not known.
[[nodiscard]] std::optional<MultiprocessorLimits> limitsOf(std::string_view architecture);

/// How many warps of a kernel can be resident, and what keeps it from more.
struct Occupancy {
  int blocks = 0;       ///< per multiprocessor; 0: it cannot be launched
  int warps = 0;        ///< per multiprocessor
  double fraction = 0;  ///< of the warps that fit, 0 to 1
  std::string limiter;  ///< "registers", "shared memory", "block size", "blocks"; joined by ", " when equal
  int byRegisters = 0, byShared = 0, byWarps = 0, byBlocks = 0;  ///< blocks that each would allow
};
/// `threads` and `sharedBytes` (static and dynamic) per block, `registers` per thread.
[[nodiscard]] Occupancy occupancy(const MultiprocessorLimits& limits, int threads, int registers,
                                  std::int64_t sharedBytes);

/// Blocks of the grid over what all multiprocessors hold at once: 2.03 waves have a short tail.
[[nodiscard]] double waves(std::int64_t gridBlocks, int residentBlocks, int multiprocessors);

}  // namespace wb
