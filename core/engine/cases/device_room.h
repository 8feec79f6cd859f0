// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/cases/kernel_context.h"
#include "core/model/operators/literal.h"

namespace wb {

/// Bytes that tensors may still take on a device: its free memory and what torch keeps of it for reuse; on
/// the CPU, what the system has available. A very large number where nothing can tell.
[[nodiscard]] std::int64_t freeMemory(const std::string& device);

/// How many bytes the inputs of a case may take: the job's limit, or, where the job has none, what the device
/// has room for. Inputs, copies of them for both sides, results and the comparison together take about
/// `copiesOfInputs` times the inputs: relu of 1 GiB peaked at 6.3 GiB.
[[nodiscard]] std::int64_t roomForInputs(const Limits& limits, const std::string& device);
inline constexpr std::int64_t copiesOfInputs = 7;

/// Whether the inputs of a case may be made here. Errors say what is too large for what. Small inputs pass
/// without asking the device.
Result<void> fitsDevice(const KernelContext& kernel, const Literal& call);

/// Gives the memory that torch keeps back to the device where that is gigabytes, since others than torch take
/// memory there too.
void giveBackMemory(const std::string& device);

/// How many bytes the input sets of a timing and their results may take together.
[[nodiscard]] std::int64_t roomForTiming(const KernelContext& kernel);

}  // namespace wb
