// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/constant_pages.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include "core/engine/sides/memory/page_entries.h"
#include "core/engine/sides/process/call_tables.h"

namespace wb {
namespace {

// Larger ones hold code for GPUs.
constexpr std::size_t mostBytes = std::size_t{64} << 20;
// Linkers may put the constants of a small library beside its code.
constexpr std::size_t mostBesideCode = std::size_t{1} << 20;

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/// Systems before Linux 5.14 have to be asked by reading. The loader's lock is held, so nothing is unloaded
/// meanwhile.
void readEach(std::uintptr_t begin, std::uintptr_t end, std::uintptr_t page) {
  for (; begin < end; begin += page)
    [[maybe_unused]] const char read = *reinterpret_cast<const volatile char*>(begin);
}

std::uintptr_t pageBytes() {
  return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
}

/// Gives whether it is mapped now: not where a kernel has unmapped a part itself.
bool map(std::uintptr_t begin, std::uintptr_t end) {
  if (::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ) == 0) return true;
  if (errno != EINVAL) return false;
  readEach(begin, end, pageBytes());
  return true;
}

bool areThere(std::uintptr_t begin, std::uintptr_t end) {
  const std::vector<std::uint64_t> entries = pageEntries(begin, end);
  return std::all_of(entries.begin(), entries.end(),
                     [](std::uint64_t entry) { return (entry & pageIsThere) != 0; });
}

/// What follows a library's constants in their part: the tables for exceptions, which nothing reads under a
/// mask.
std::uintptr_t tablesOf(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i)
    if (library.dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      return library.dlpi_addr + library.dlpi_phdr[i].p_vaddr;
  return UINTPTR_MAX;
}

/// Where they begin and end, from the beginning of a page on.
std::vector<std::pair<std::uintptr_t, std::uintptr_t>> constantsOf(const dl_phdr_info& library) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> parts;
  const std::uintptr_t tables = tablesOf(library);
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library.dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0 || (part.p_flags & PF_R) == 0) continue;
    const bool hasCode = (part.p_flags & PF_X) != 0;
    // The first part without code holds the names of what is in the library.
    if (hasCode ? part.p_filesz > mostBesideCode : part.p_offset == 0) continue;
    const std::uintptr_t begin = library.dlpi_addr + part.p_vaddr;
    std::uintptr_t end = begin + part.p_filesz;
    if (begin < tables && tables < end) end = tables;
    if (begin < end && end - begin <= mostBytes) parts.emplace_back(begin & ~(pageBytes() - 1), end);
  }
  return parts;
}

}  // namespace

/// One walk over all libraries.
struct ConstantPages::Visit {
  ConstantPages& pages;
  unsigned long long loaded = 0;

  static int see(dl_phdr_info* library, std::size_t, void* visit) {
    auto& [pages, loaded] = *static_cast<Visit*>(visit);
    loaded = library->dlpi_adds;
    if (pages.loaded_ == loaded && pages.unloaded_ == library->dlpi_subs) return 1;
    // Another library may lie where one has gone.
    if (std::exchange(pages.unloaded_, library->dlpi_subs) != library->dlpi_subs) pages.forget();
    const Place place(library->dlpi_addr, library->dlpi_phdr);
    if (!pages.done_.insert(place).second) return 0;
    for (const auto& [begin, end] : constantsOf(*library))
      if (map(begin, end)) pages.parts_.push_back({std::string(libraryName(*library)), place, begin, end});
    return 0;
  }
};

void ConstantPages::makePresent() {
  Visit visit{*this};
  ::dl_iterate_phdr(Visit::see, &visit);
  loaded_ = visit.loaded;
}

std::string ConstantPages::taken() {
  if (parts_.empty()) return {};
  // A library may have been unloaded in order.
  std::set<Place> loaded;
  const auto add = [](dl_phdr_info* library, std::size_t, void* into) {
    static_cast<std::set<Place>*>(into)->emplace(library->dlpi_addr, library->dlpi_phdr);
    return 0;
  };
  ::dl_iterate_phdr(add, &loaded);
  const auto isTaken = [&loaded](const Part& part) {
    return loaded.contains(part.place) && !areThere(part.begin, part.end);
  };
  auto absent = std::find_if(parts_.begin(), parts_.end(), isTaken);
  if (absent != parts_.end()) {
    // While the system moves a page to another place it is not there for some microseconds.
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    absent = std::find_if(parts_.begin(), parts_.end(), isTaken);
  }
  if (absent == parts_.end()) return {};
  std::string library = absent->library.empty() ? "the program" : absent->library;
  forget();
  return library;
}

void ConstantPages::forget() {
  loaded_ = 0;
  done_.clear();
  parts_.clear();
}

}  // namespace wb
