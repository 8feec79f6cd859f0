// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/call_tables.h"

#include <elf.h>

#include <algorithm>
#include <iterator>

namespace wb {

namespace {

struct Table {
  std::uintptr_t at = 0;
  std::size_t bytes = 0;
};

void addEntries(CallTable& entries, const dl_phdr_info& library, const CodeParts& own, const Table& table) {
  const auto* relocations = reinterpret_cast<const ElfW(Rela)*>(table.at);
  for (std::size_t i = 0; table.at != 0 && i < table.bytes / sizeof(ElfW(Rela)); ++i) {
    const auto kind = ELF64_R_TYPE(relocations[i].r_info);
#if defined(__x86_64__)
    if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT) continue;
#elif defined(__aarch64__)
    if (kind != R_AARCH64_JUMP_SLOT && kind != R_AARCH64_GLOB_DAT) continue;
#endif
    const auto* entry = reinterpret_cast<const std::uintptr_t*>(library.dlpi_addr + relocations[i].r_offset);
    if (isWithin(own, *entry))
      entries.unfilled.push_back(entry);
    else
      entries.filled.emplace_back(entry, *entry);
  }
}

}  // namespace

std::string_view libraryName(const dl_phdr_info& library) {
  std::string_view name = library.dlpi_name == nullptr ? "" : library.dlpi_name;
  name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  return name;
}

CodeParts codeOf(const dl_phdr_info& library) {
  CodeParts parts;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
      parts.emplace_back(library.dlpi_addr + part.p_vaddr, part.p_filesz);
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

const ElfW(Dyn) * dynamicOf(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i)
    if (library.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

CallTable callTableOf(const dl_phdr_info& library) {
  Table calls, others;
  CallTable entries;
  // The system's own has addresses that the loader has not moved, and no tables to fill in.
  if (libraryName(library).starts_with("linux-vdso")) return entries;
  for (const ElfW(Dyn)* each = dynamicOf(library); each != nullptr && each->d_tag != DT_NULL; ++each) {
    if (each->d_tag == DT_JMPREL) calls.at = each->d_un.d_ptr;
    if (each->d_tag == DT_PLTRELSZ) calls.bytes = each->d_un.d_val;
    if (each->d_tag == DT_RELA) others.at = each->d_un.d_ptr;
    if (each->d_tag == DT_RELASZ) others.bytes = each->d_un.d_val;
  }
  const CodeParts own = codeOf(library);
  addEntries(entries, library, own, calls);
  addEntries(entries, library, own, others);
  return entries;
}

bool isAsBefore(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](const auto& word) { return *word.first == word.second; });
}

bool isWithin(const CodeParts& parts, std::uintptr_t address) {
  const auto after = std::upper_bound(parts.begin(), parts.end(), address,
                                      [](std::uintptr_t at, const auto& part) { return at < part.first; });
  return after != parts.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

}  // namespace wb
