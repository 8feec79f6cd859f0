// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb {

// What the system says of a page (/proc/PID/pagemap): that it is there, or was and is swapped out, and that
// it is a file's or shared.
constexpr std::uint64_t pageIsThere = std::uint64_t{1} << 63, pageIsAway = std::uint64_t{1} << 62,
                        pageIsFiles = std::uint64_t{1} << 61;

/// The entries of all pages between two addresses of this process, or of another one, in order; none where
/// the system does not tell.
[[nodiscard]] std::vector<std::uint64_t> pageEntries(std::uintptr_t begin, std::uintptr_t end,
                                                     std::optional<pid_t> process = {});

/// Whether nearly all pages that lie wholly in some memory are there, and none is a file's. At most some
/// hundreds of them are looked at, at a random place. True of a few pages, and where the system does not
/// tell.
[[nodiscard]] bool hasItsPages(std::uintptr_t begin, std::size_t bytes, std::optional<pid_t> process = {});

}  // namespace wb
