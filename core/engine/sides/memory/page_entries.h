// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace wb {

// What the system says of a page of this process's (/proc/self/pagemap): that it is there, and that it is a
// file's or shared.
constexpr std::uint64_t pageIsThere = std::uint64_t{1} << 63, pageIsFiles = std::uint64_t{1} << 61;

/// The entries of all pages between two addresses, in order; none where the system does not tell.
[[nodiscard]] std::vector<std::uint64_t> pageEntries(std::uintptr_t begin, std::uintptr_t end);

}  // namespace wb
