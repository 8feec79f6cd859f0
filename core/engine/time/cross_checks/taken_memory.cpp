// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/taken_memory.h"

#include <c10/core/alignment.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>

namespace wb {

double secondsToTakeMemory(std::size_t bytes) {
  double shortest = std::numeric_limits<double>::infinity();
  // What was given back a moment ago would be found at once. A block of another size has the C library put it
  // in its place, and none is given back before the last is taken.
  void* const other = std::malloc(2 * bytes);
  asm volatile("" : : "r"(other) : "memory");
  std::array<void*, 5> blocks{};
  for (void*& block : blocks) {
    const auto start = std::chrono::steady_clock::now();
    if (::posix_memalign(&block, c10::gAlignment, bytes) != 0) shortest = 0;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, took.count());
  }
  for (void* const block : blocks) std::free(block);
  std::free(other);
  return shortest;
}

}  // namespace wb
