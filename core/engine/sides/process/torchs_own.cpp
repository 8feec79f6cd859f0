// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/torchs_own.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "core/engine/sides/memory/page_entries.h"

namespace wb {

namespace {

/// What the names of torch's libraries begin with.
constexpr std::array torchs{"libtorch", "libc10"};
/// Of a GPU's libraries nobody here knows what they do with their own code, and the system's has no pages.
constexpr std::array unwatched{"libcu", "libnv", "libnccl", "linux-vdso"};

bool beginsWithOne(std::string_view name, std::span<const char* const> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const char* each) { return name.starts_with(each); });
}
/// A variable of at::native, as the linker names it: _ZN2at6native9silu_stubE.
constexpr std::string_view variable = "_ZN2at6native", stubEnd = "_stub";
/// What a stub's class has in its name: …DispatchStubI…silu_stub_DECLARE_DISPATCH_typeEE4AVX2E.
constexpr std::string_view stubClass = "12DispatchStubI", declared = "_DECLARE_DISPATCH_type";

/// The pages of a library's code that are this process's own: somebody has written to them.
std::size_t ownPages(const CodeParts& code) {
  std::size_t count = 0;
  for (const auto& [begin, bytes] : code)
    for (const std::uint64_t entry : pageEntries(begin, begin + bytes))
      count += (entry & pageIsThere) != 0 && (entry & pageIsFiles) == 0 ? 1 : 0;
  return count;
}

/// How many symbols there are behind a table of hashes: one more than the last of the longest chain.
std::size_t symbolCount(const std::uint32_t* hashes) {
  const std::uint32_t buckets = hashes[0], first = hashes[1], bloomWords = hashes[2];
  const std::uint32_t* const bucket = hashes + 4 + bloomWords * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* const chain = bucket + buckets;
  std::uint32_t last = *std::max_element(bucket, bucket + buckets);
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + 1;
}

/// "silu_stub" of "…6native9silu_stub…": the word that ends there, without its length in front of it.
std::string_view wordBefore(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
    --begin;
  // Lengths are digits, and no name begins with one. The innermost is the last that fits.
  for (std::size_t at = text.size(); at-- > begin;) {
    std::size_t length = 0, digit = at;
    while (digit < text.size() && std::isdigit(static_cast<unsigned char>(text[digit])) != 0)
      length = length * 10 + static_cast<std::size_t>(text[digit++] - '0');
    if (digit > at && text.size() - digit == length) return text.substr(digit);
  }
  return {};
}

using Stubs = std::map<std::string, TorchsOwn::Stub, std::less<>>;

void addSymbol(Stubs& stubs, std::string_view name, const std::uintptr_t* at, std::size_t words) {
  if (!name.starts_with(variable)) return;
  if (const std::size_t inside = name.find(declared); inside != std::string_view::npos) {
    if (name.find(stubClass) == std::string_view::npos || words != 1) return;
    // The length counts the whole of the class's name.
    const std::string_view whole = wordBefore(name.substr(0, inside + declared.size()));
    if (whole.empty()) return;
    stubs[std::string(whole.substr(0, whole.size() - declared.size()))].loops.emplace_back(at, *at);
  } else if (name.ends_with("E") && name.substr(0, name.size() - 1).ends_with(stubEnd) && words > 1) {
    const std::string_view own = wordBefore(name.substr(0, name.size() - 1));
    if (own.empty()) return;
    TorchsOwn::Stub& stub = stubs[std::string(own)];
    stub.name = own;
    stub.places = at;
    stub.before.assign(at, at + words);
  }
}

void addStubs(Stubs& stubs, const dl_phdr_info& library) {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hashes = nullptr;
  for (const ElfW(Dyn)* each = dynamicOf(library); each != nullptr && each->d_tag != DT_NULL; ++each) {
    if (each->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(each->d_un.d_ptr);
    if (each->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(each->d_un.d_ptr);
    if (each->d_tag == DT_GNU_HASH) hashes = reinterpret_cast<const std::uint32_t*>(each->d_un.d_ptr);
  }
  if (symbols == nullptr || names == nullptr || hashes == nullptr) return;
  const std::size_t count = symbolCount(hashes);
  for (std::size_t i = 0; i < count; ++i) {
    const ElfW(Sym)& symbol = symbols[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
    addSymbol(stubs, names + symbol.st_name,
              reinterpret_cast<const std::uintptr_t*>(library.dlpi_addr + symbol.st_value),
              symbol.st_size / sizeof(std::uintptr_t));
  }
}

struct Found {
  std::vector<TorchsOwn::Library> libraries;
  CodeParts known;
  Stubs stubs;
};

int add(dl_phdr_info* info, std::size_t, void* into) {
  auto& found = *static_cast<Found*>(into);
  CodeParts code = codeOf(*info);
  found.known.insert(found.known.end(), code.begin(), code.end());
  const std::string_view name = libraryName(*info);
  if (beginsWithOne(name, unwatched)) return 0;
  const std::size_t pages = ownPages(code);
  CallTable calls = beginsWithOne(name, torchs) ? callTableOf(*info) : CallTable{};
  found.libraries.push_back(
      {name.empty() ? "the program" : std::string(name), std::move(code), std::move(calls), pages});
  if (name.starts_with("libtorch_cpu.")) addStubs(found.stubs, *info);
  return 0;
}

bool isSame(const TorchsOwn::Stub& stub) {
  if (!isAsBefore(stub.loops)) return false;
  // Of a few nobody knows which loops there are.
  if (stub.places == nullptr || stub.loops.empty()) return true;
  if (!std::equal(stub.before.begin() + 1, stub.before.end(), stub.places + 1)) return false;
  const std::uintptr_t now = *stub.places;
  const auto isThis = [now](const auto& loop) { return loop.second == now; };
  return now == stub.before[0] ||
         (stub.before[0] == 0 && std::any_of(stub.loops.begin(), stub.loops.end(), isThis));
}

}  // namespace

TorchsOwn::TorchsOwn() {
  Found found;
  ::dl_iterate_phdr(add, &found);
  libraries_ = std::move(found.libraries);
  stubs_ = std::move(found.stubs);
  known_ = std::move(found.known);
  std::sort(known_.begin(), known_.end());
}

std::string TorchsOwn::changedTable() const {
  for (const auto& [name, stub] : stubs_)
    if (!isSame(stub)) return "ATen's " + name;
  for (const Library& library : libraries_) {
    const auto isKnown = [&](const std::uintptr_t* entry) {
      return isWithin(library.code, *entry) || isWithin(known_, *entry);
    };
    if (!isAsBefore(library.calls.filled) ||
        !std::all_of(library.calls.unfilled.begin(), library.calls.unfilled.end(), isKnown))
      return "the calls of " + library.name;
  }
  return {};
}

std::string TorchsOwn::changedCode() const {
  for (const Library& library : libraries_)
    if (ownPages(library.code) > library.ownPages) return library.name;
  return {};
}

}  // namespace wb
