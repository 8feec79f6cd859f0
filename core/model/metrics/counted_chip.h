// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// The name by which CUPTI knows a device's chip, and which of its counters may be read here. To ask for it
/// takes 0.12 s on an H100.
struct CountedChip {
  std::string name;
  std::vector<std::uint8_t> availability;
};

}  // namespace wb
