// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/engine/cupti/host.h"

namespace wb {

/// Where the plan of these metrics is kept in the user's cache: counters/CHIP-HASH.
[[nodiscard]] std::filesystem::path counterPlanFile(const std::string& chip,
                                                    std::span<const std::string> metrics,
                                                    std::uint32_t cuptiVersion,
                                                    std::span<const std::uint8_t> availability);

/// Reads a plan; gives nothing when there is no such file, or it is not whole.
[[nodiscard]] std::optional<CounterPlan> readCounterPlan(const std::filesystem::path& file);

/// Writes a plan, at once or not at all.
Result<void> writeCounterPlan(const std::filesystem::path& file, const CounterPlan& plan);

}  // namespace wb
