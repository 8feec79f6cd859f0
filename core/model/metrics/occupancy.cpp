// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/occupancy.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb {
namespace {

constexpr std::int64_t kib = 1024;
constexpr int threadsPerBlock = 1024;

struct Row {
  /// 90 is 9.0.
  int capability;
  int warps, blocks;
  /// in KiB.
  std::int64_t shared, perBlock;
};

// Volta and Turing give shared memory in portions of 256 bytes and take none for themselves; all later ones
// give portions of 128 and take 1024 bytes of each block.
constexpr std::array rows = {
    Row{70, 64, 32, 96, 96},    Row{72, 64, 32, 96, 96},    Row{75, 32, 16, 64, 64},
    Row{80, 64, 32, 164, 163},  Row{86, 48, 16, 100, 99},   Row{87, 48, 16, 164, 163},
    Row{89, 48, 24, 100, 99},   Row{90, 64, 32, 228, 227},  Row{100, 64, 32, 228, 227},
    Row{101, 48, 24, 228, 227}, Row{103, 64, 32, 228, 227}, Row{110, 48, 24, 228, 227},
    Row{120, 48, 24, 100, 99},  Row{121, 48, 24, 100, 99},
};

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Registers are given to warps, and each of the four parts of a multiprocessor has its own registers.
int blocksByRegisters(const MultiprocessorLimits& limits, int warps, int registers) {
  const auto perWarp = roundUp(std::max(registers, 1) * std::int64_t{limits.warpSize}, limits.registerUnit);
  if (registers > limits.registersPerThread || perWarp * roundUp(warps, limits.warpUnit) > limits.registers)
    return 0;
  const std::int64_t perPart = limits.registers / limits.warpUnit / perWarp;
  return static_cast<int>(perPart * limits.warpUnit / warps);
}

int blocksByShared(const MultiprocessorLimits& limits, std::int64_t bytes) {
  if (bytes > limits.sharedPerBlock) return 0;
  const std::int64_t taken =
      std::max(roundUp(bytes + limits.sharedReserved, limits.sharedUnit), limits.sharedUnit);
  return static_cast<int>(limits.shared / taken);
}

}  // namespace

std::optional<MultiprocessorLimits> limitsOf(std::string_view architecture) {
  if (!architecture.starts_with("sm_")) return std::nullopt;
  architecture.remove_prefix(3);
  int capability = 0;  // "90a" and "100f" are 90 and 100 with more instructions
  const char* end = architecture.data() + architecture.size();
  const auto [rest, wrong] = std::from_chars(architecture.data(), end, capability);
  if (wrong != std::errc() || end - rest > 1) return std::nullopt;
  const auto row = std::ranges::find(rows, capability, &Row::capability);
  if (row == rows.end()) return std::nullopt;
  MultiprocessorLimits limits;
  limits.warps = row->warps;
  limits.blocks = row->blocks;
  limits.shared = row->shared * kib;
  limits.sharedPerBlock = row->perBlock * kib;
  if (capability < 80) {
    limits.sharedReserved = 0;
    limits.sharedUnit = 256;
  }
  return limits;
}

Occupancy occupancy(const MultiprocessorLimits& limits, int threads, int registers,
                    std::int64_t sharedBytes) {
  Occupancy result;
  if (threads <= 0 || threads > threadsPerBlock) {
    result.limiter = "block size";
    return result;
  }
  const int warps = (threads + limits.warpSize - 1) / limits.warpSize;
  result.byRegisters = blocksByRegisters(limits, warps, registers);
  result.byShared = blocksByShared(limits, sharedBytes);
  result.byWarps = limits.warps / warps;
  result.byBlocks = limits.blocks;
  result.blocks = std::min({result.byRegisters, result.byShared, result.byWarps, result.byBlocks});
  result.warps = result.blocks * warps;
  result.fraction = static_cast<double>(result.warps) / limits.warps;
  const auto name = [&](int allowed, const char* what) {
    if (allowed != result.blocks) return;
    if (!result.limiter.empty()) result.limiter += ", ";
    result.limiter += what;
  };
  name(result.byRegisters, "registers");
  name(result.byShared, "shared memory");
  name(result.byWarps, "block size");
  name(result.byBlocks, "blocks");
  return result;
}

double waves(std::int64_t gridBlocks, int residentBlocks, int multiprocessors) {
  const double together = static_cast<double>(residentBlocks) * multiprocessors;
  return together > 0 ? static_cast<double>(gridBlocks) / together : 0;
}

}  // namespace wb
