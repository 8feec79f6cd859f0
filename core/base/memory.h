// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace wb {

/// Bytes that this process may still take before the system runs out of memory: what the kernel says is
/// available, or less where a control group limits it. Nothing where neither can be read.
[[nodiscard]] std::optional<std::int64_t> availableMemory();

/// Bytes of memory of its own that a process holds, but for files that it maps; nothing where that cannot be
/// read.
[[nodiscard]] std::optional<std::int64_t> memoryHeldBy(int process);

/// How many processes the system has ended so far because memory was short; nothing where it does not count.
[[nodiscard]] std::optional<std::uint64_t> outOfMemoryKills();

/// The same read below `root`, for tests: it holds "proc" and "sys" as "/" does.
[[nodiscard]] std::optional<std::int64_t> availableMemory(const std::filesystem::path& root);
[[nodiscard]] std::optional<std::uint64_t> outOfMemoryKills(const std::filesystem::path& root);

}  // namespace wb
