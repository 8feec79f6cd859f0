// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/own_code.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace wb {

namespace {

/// What the names of libraries that are looked at begin with; the program itself has no name.
constexpr std::array watched{
    "libwarpbench_engine", "libwarpbench_worker", "libwarpbench_python", "libstdc++.", "libc.", "linux-vdso"};

/// A number that depends on each of the bytes, at the speed of reading them: four sums that do not wait for
/// each other.
std::uint64_t hashOf(const unsigned char* bytes, std::size_t size) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  std::array<std::uint64_t, 4> words{};
  constexpr std::size_t step = sizeof words;
  for (; size >= step; size -= step, bytes += step) {
    std::memcpy(words.data(), bytes, step);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = (lanes[i] ^ words[i]) * factor;
  }
  for (; size > 0; --size, ++bytes) lanes[0] = (lanes[0] ^ *bytes) * factor;
  std::uint64_t all = 0;
  for (const std::uint64_t lane : lanes) all = (all ^ (lane >> 29) ^ lane) * factor;
  return all;
}

std::uint64_t hashOf(const OwnCode::Library& library) {
  std::uint64_t all = 0;
  for (const auto& [at, size] : library.code)
    all = all * 31 + hashOf(reinterpret_cast<const unsigned char*>(at), size);
  return all;
}

bool isWithin(const OwnCode::Library& library, std::uintptr_t address) {
  return std::any_of(library.code.begin(), library.code.end(), [&](const auto& part) {
    return address >= part.first && address < part.first + part.second;
  });
}

struct Table {
  std::uintptr_t at = 0;
  std::size_t bytes = 0;
};

/// The entries of a table that hold an address of another library. One that leads into its own is filled in
/// when it is first needed.
void addEntries(OwnCode::Library& library, const dl_phdr_info& info, const Table& table) {
  const auto* relocations = reinterpret_cast<const ElfW(Rela)*>(table.at);
  for (std::size_t i = 0; table.at != 0 && i < table.bytes / sizeof(ElfW(Rela)); ++i) {
    const auto kind = ELF64_R_TYPE(relocations[i].r_info);
#if defined(__x86_64__)
    if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT) continue;
#elif defined(__aarch64__)
    if (kind != R_AARCH64_JUMP_SLOT && kind != R_AARCH64_GLOB_DAT) continue;
#endif
    const auto* entry = reinterpret_cast<const std::uintptr_t*>(info.dlpi_addr + relocations[i].r_offset);
    if (!isWithin(library, *entry)) library.entries.emplace_back(entry, *entry);
  }
}

void addTables(OwnCode::Library& library, const dl_phdr_info& info, const ElfW(Dyn) * dynamic) {
  Table calls, others;
  // The system's own has addresses that the loader has not moved, and no tables to fill in.
  if (library.name.starts_with("linux-vdso")) return;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_JMPREL) calls.at = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_PLTRELSZ) calls.bytes = dynamic->d_un.d_val;
    if (dynamic->d_tag == DT_RELA) others.at = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_RELASZ) others.bytes = dynamic->d_un.d_val;
  }
  addEntries(library, info, calls);
  addEntries(library, info, others);
}

int add(dl_phdr_info* info, std::size_t, void* into) {
  std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  const bool isWatched =
      std::any_of(watched.begin(), watched.end(), [&](const char* each) { return name.starts_with(each); });
  if (!isWatched) return 0;
  OwnCode::Library library;
  library.name = name;
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t at = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0) library.code.emplace_back(at, part.p_filesz);
    if (part.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(at);
  }
  library.hash = hashOf(library);
  addTables(library, *info, dynamic);
  static_cast<std::vector<OwnCode::Library>*>(into)->push_back(std::move(library));
  return 0;
}

}  // namespace

OwnCode::OwnCode() {
  ::dl_iterate_phdr(add, &libraries_);
}

std::string OwnCode::changed() const {
  for (const Library& library : libraries_) {
    const bool isSame = hashOf(library) == library.hash &&
                        std::all_of(library.entries.begin(), library.entries.end(),
                                    [](const auto& entry) { return *entry.first == entry.second; });
    if (!isSame) return library.name;
  }
  return {};
}

}  // namespace wb
