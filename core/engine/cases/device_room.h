// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/cases/kernel_context.h"
#include "core/model/operators/literal.h"

namespace wb {

/// Bytes that tensors may still take on a device: its free memory and what torch keeps of it for reuse; on
/// the CPU what the system has available. A very large number where nobody can say.
[[nodiscard]] std::int64_t freeMemory(const std::string& device);

/// What the inputs of a case may take: the job's limit, or, where the job has none, what the device has room
/// for. Inputs, copies of them for both sides, results and comparison together take about `copiesOfInputs`
/// times the inputs: relu of 1 GiB peaked at 6.3 GiB.
[[nodiscard]] std::int64_t roomForInputs(const Limits& limits, const std::string& device);
inline constexpr std::int64_t copiesOfInputs = 7;

/// Whether a case may be made here.
/// Errors say what is too large for what. Small inputs are not worth the asking.
Result<void> fitsDevice(const KernelContext& kernel, const Literal& call);

/// Gives what torch keeps of a device's memory back to it, where that is gigabytes: others than torch take
/// memory there too.
void giveBackMemory(const std::string& device);

/// What the input sets of a timing and their results may take together.
[[nodiscard]] std::int64_t roomForTiming(const KernelContext& kernel);

}  // namespace wb
