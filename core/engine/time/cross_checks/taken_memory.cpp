// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/taken_memory.h"

#include <c10/core/alignment.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace wb {

namespace {

/// So many blocks are taken, all of them at the same time.
constexpr std::size_t looks = 9;
/// More at the heap's end would go back to the system when it is free.
constexpr std::size_t mostTouched = std::size_t{32} << 20, smallestPage = 4096;

/// Takes and gives back a block whose address the compiler does not know, or it would leave out both.
void* taken(std::size_t bytes) {
  void* block = std::malloc(bytes);
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

}  // namespace

double secondsToTakeMemory(std::size_t bytes) {
  // At its end the heap has room for all of them. The system's time to let it grow is not meant here.
  const std::size_t all = (looks + 2) * bytes;
  auto* const room = static_cast<volatile unsigned char*>(taken(all));
  // Nor its time to give pages.
  if (room != nullptr && all <= mostTouched)
    for (std::size_t at = 0; at < all; at += smallestPage) room[at] = 0;
  std::free(const_cast<unsigned char*>(room));
  // What was given back a moment ago would be found at once. A block of another size has the C library put it
  // in its place, and none is given back before the last is taken.
  void* const other = taken(2 * bytes);
  std::array<void*, looks> blocks{};
  std::array<double, looks> seconds{};
  for (std::size_t i = 0; i < looks; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (::posix_memalign(&blocks[i], c10::gAlignment, bytes) != 0) blocks[i] = nullptr;
    seconds[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  for (void* const block : blocks) std::free(block);
  std::free(other);
  // What the last look has cut a block from may have just the size of the next one, which is found at once. A
  // look may be interrupted as well. Neither is so for half of them.
  std::nth_element(seconds.begin(), seconds.begin() + looks / 2, seconds.end());
  return seconds[looks / 2];
}

}  // namespace wb
