// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wb {

/// A seed that depends evenly on both: splitmix64's finaliser over their sum (Steele, Lea, Flood 2014).
[[nodiscard]] constexpr std::uint64_t mixSeeds(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15ULL * (b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace wb
