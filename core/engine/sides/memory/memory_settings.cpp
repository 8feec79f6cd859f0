// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/memory_settings.h"

#include <c10/core/alignment.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace wb {

namespace {

/// Blocks from here on are mapped by themselves and given back at once. It is the highest that the C library
/// allows, and what it comes to by itself where large blocks come and go.
constexpr int mappedFrom = 32 << 20;
constexpr int trimmedFrom = 2 * mappedFrom, padding = 128 << 10, mostMapped = 65536;
/// A block that is mapped by itself only where somebody has asked for it, and one that is returned to the
/// system at once where somebody has.
constexpr std::size_t probeBytes = std::size_t{24} << 20, topBytes = std::size_t{4} << 20;
/// So many blocks are taken to use up what is free between others in the heap.
constexpr std::size_t mostProbes = 16;

/// A block whose address the compiler does not know, or it would leave out taking and freeing it.
unsigned char* taken(std::size_t bytes) {
  auto* block = static_cast<unsigned char*>(std::malloc(bytes));
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

/// Whether a large block is mapped by itself for which the heap has no room: blocks are taken until one is,
/// or the heap grows instead. Where the heap has a lot of room, nobody pays for what was set, and nothing is
/// told. None of the blocks is written to.
bool mapsLargeAlone() {
  std::array<unsigned char*, mostProbes> blocks{};
  bool isMapped = false, hasGrown = false;
  for (std::size_t i = 0; i < blocks.size() && !isMapped && !hasGrown; ++i) {
    const auto mapped = ::mallinfo2().hblks;
    const void* const end = ::sbrk(0);
    blocks[i] = taken(probeBytes);
    isMapped = ::mallinfo2().hblks > mapped;
    hasGrown = ::sbrk(0) != end;
  }
  for (unsigned char* const block : blocks) std::free(block);
  return isMapped;
}

/// Whether the heap's end goes back to the system as soon as it is free.
bool returnsItsEnd() {
  unsigned char* const block = taken(topBytes);
  const auto before = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  std::free(block);
  return reinterpret_cast<std::uintptr_t>(::sbrk(0)) < before;
}

/// Whether freed blocks are filled, which takes as long as copying them.
bool fillsFreed() {
  constexpr std::size_t bytes = 4096, somewhere = 2048;
  constexpr unsigned char mark = 0x5a;
  unsigned char* const block = taken(bytes);
  if (block == nullptr) return false;
  std::memset(block, mark, bytes);
  asm volatile("" : : "r"(block) : "memory");  // or the compiler would leave out writing to what is freed
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  std::free(block);
  unsigned char* const again = taken(bytes);
  if (again == nullptr) return false;
  const bool isFilled = reinterpret_cast<std::uintptr_t>(again) == address && again[somewhere] != mark;
  std::free(again);
  return isFilled;
}

/// Whether a look finds the same each time. Other threads take and give memory too, and may have been in the
/// way of one.
bool isSo(bool (*look)()) {
  constexpr int looks = 4;
  for (int i = 0; i < looks; ++i)
    if (!look()) return false;
  return true;
}

/// A number of /proc/self/status, "Seccomp_filters:	2"; 0 where there is none.
long statusNumber(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::atol(line.c_str() + name.size());
  return 0;
}

/// The kilobytes that are locked, with a page of which that depends on whether all future ones are.
long lockedNow() {
  void* const page = ::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const long locked = statusNumber("VmLck:");
  if (page != MAP_FAILED) ::munmap(page, 1);
  return locked;
}

bool hugePagesOff() {
  return ::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1;
}

}  // namespace

void steadyHeap() {
  ::mallopt(M_MMAP_THRESHOLD, mappedFrom);
  ::mallopt(M_TRIM_THRESHOLD, trimmedFrom);
  ::mallopt(M_TOP_PAD, padding);
  ::mallopt(M_MMAP_MAX, mostMapped);
  ::mallopt(M_PERTURB, 0);
}

void makeHeapPresent(std::span<const std::size_t> sizes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<void*> blocks;
  for (const std::size_t bytes : sizes) {
    void* block = nullptr;
    // What is mapped by itself is new each time.
    if (bytes >= mappedFrom || ::posix_memalign(&block, c10::gAlignment, bytes) != 0) continue;
    auto* const first = static_cast<volatile unsigned char*>(block);
    for (std::size_t at = 0; at < bytes; at += page) first[at] = 0;
    blocks.push_back(block);
  }
  for (void* const block : blocks) std::free(block);
}

MemorySettings::MemorySettings()
    : areHugePagesOff_(hugePagesOff()),
      lockedKilobytes_(lockedNow()),
      filters_(statusNumber("Seccomp_filters:")) {
  steadyHeap();
}

PutBack MemorySettings::putBack() const {
  PutBack back;
  if (isSo(mapsLargeAlone) || isSo(returnsItsEnd) || isSo(fillsFreed))
    back.changed.emplace_back("the settings of the C library's memory");
  steadyHeap();  // also what was not seen
  if (hugePagesOff() != areHugePagesOff_) {
    ::prctl(PR_SET_THP_DISABLE, areHugePagesOff_ ? 1 : 0, 0, 0, 0);
    back.changed.emplace_back("the use of large pages");
  }
  if (lockedNow() != lockedKilobytes_ && lockedKilobytes_ == 0) {
    ::munlockall();
    back.changed.emplace_back("the locking of memory");
  }
  if (statusNumber("Seccomp_filters:") != filters_) back.stuck.emplace_back("a filter of system calls");
  return back;
}

}  // namespace wb
