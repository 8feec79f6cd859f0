// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wb {

/// Whether memory can be read as it lies. The system is asked, so that nobody who serves page faults of this
/// process gets a chance to fill it. Looks at the first page, the last one and some that the seed chooses.
[[nodiscard]] bool isReadable(const void* memory, std::int64_t bytes, std::uint64_t seed);

/// Reads each page of memory. Whoever serves page faults of this process does so now, or never ends.
void readPages(const void* memory, std::int64_t bytes);

}  // namespace wb
