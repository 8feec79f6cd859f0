// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// Lines `[before, before + removed)` of the first text stand where the second has `[after, after + added)`.
/// Lines count from 0.
struct DiffHunk {
  std::size_t before = 0, removed = 0;
  std::size_t after = 0, added = 0;
  bool operator==(const DiffHunk&) const = default;
};

/// The lines of a text with their line ends (splitLines in text.h drops them); the last one may have none.
/// The views are into `text`.
[[nodiscard]] std::vector<std::string_view> wholeLines(std::string_view text);

/// What makes the second text from the first, in order, with at least one equal line between two hunks. It
/// is the shortest such list by Myers' method ("An O(ND) Difference Algorithm", 1986) in linear memory. Where
/// two texts have little in common it is cut short, and then right but not the shortest.
[[nodiscard]] std::vector<DiffHunk> diffLines(std::span<const std::string_view> before,
                                              std::span<const std::string_view> after);

/// The first text with those hunks of the second for which `taken` is true; a missing entry counts as false.
[[nodiscard]] std::string mergeHunks(std::span<const std::string_view> before,
                                     std::span<const std::string_view> after, std::span<const DiffHunk> hunks,
                                     const std::vector<bool>& taken);

}  // namespace wb
