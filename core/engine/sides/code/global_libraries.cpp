// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/code/global_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {
namespace {

/// Some of a library's names may be found elsewhere first, as those of templates are.
constexpr int namesTried = 256;

std::vector<std::string> loaded() {
  std::vector<std::string> names;
  const auto add = [](dl_phdr_info* info, std::size_t, void* to) {
    if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
      static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
    return 0;
  };
  ::dl_iterate_phdr(add, &names);
  return names;
}

/// How many names the table has by its hashes: the longest chain that begins last ends with the last name.
std::uint32_t namesIn(const std::uint32_t* hash) {
  const std::uint32_t buckets = hash[0], first = hash[1], bloom = hash[2];
  const std::uint32_t* const heads =
      hash + 4 + static_cast<std::size_t>(bloom) * sizeof(ElfW(Addr)) / sizeof(std::uint32_t);
  const std::uint32_t* const chains = heads + buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = std::max(last, heads[i]);
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return last + 1;
}

/// Whether somebody who asks for a name without saying of which library is given one of this library's.
bool isForAll(const link_map& library) {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hash = nullptr;
  for (const ElfW(Dyn)* each = library.l_ld; each->d_tag != DT_NULL; ++each) {
    // NOLINTBEGIN(performance-no-int-to-ptr): the loader writes addresses as numbers.
    if (each->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(each->d_un.d_ptr);
    if (each->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(each->d_un.d_ptr);
    if (each->d_tag == DT_GNU_HASH) hash = reinterpret_cast<const std::uint32_t*>(each->d_un.d_ptr);
    // NOLINTEND(performance-no-int-to-ptr)
  }
  if (symbols == nullptr || names == nullptr || hash == nullptr) return false;
  int tried = 0;
  const std::uint32_t end = namesIn(hash);
  for (std::uint32_t i = hash[1]; i < end && tried < namesTried; ++i) {
    const ElfW(Sym)& symbol = symbols[i];
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) continue;
    ++tried;
    Dl_info found{};
    const void* const address = ::dlsym(RTLD_DEFAULT, names + symbol.st_name);
    if (address != nullptr && ::dladdr(address, &found) != 0 &&
        reinterpret_cast<ElfW(Addr)>(found.dli_fbase) == library.l_addr)
      return true;
  }
  return false;
}

/// What belongs to the system or lies beside torch. Their own libraries load others for all.
bool isOfOthers(const std::string& name) {
  constexpr std::array<std::string_view, 4> roots{"/usr/", "/lib", "/opt/", "linux-vdso"};
  return std::any_of(roots.begin(), roots.end(), [&](auto each) { return name.starts_with(each); }) ||
         name.find("/site-packages/") != std::string::npos ||
         name.find("/dist-packages/") != std::string::npos;
}

}  // namespace

GlobalLibraries::GlobalLibraries() {
  for (std::string& each : loaded()) before_.insert(std::move(each));
}

std::string GlobalLibraries::found() const {
  for (const std::string& each : loaded()) {
    if (before_.contains(each) || isOfOthers(each)) continue;
    void* const handle = ::dlopen(each.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    link_map* library = nullptr;
    const bool isNew = ::dlinfo(handle, RTLD_DI_LINKMAP, &library) == 0 && isForAll(*library);
    ::dlclose(handle);
    if (isNew) return std::filesystem::path(each).filename().string();
  }
  return {};
}

}  // namespace wb
