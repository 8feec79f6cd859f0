// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/own_code.h"

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

int add(dl_phdr_info* info, std::size_t, void* into) {
  const std::string_view name = libraryName(*info);
  const bool isWatched =
      std::any_of(watched.begin(), watched.end(), [&](const char* each) { return name.starts_with(each); });
  if (!isWatched) return 0;
  OwnCode::Library library;
  library.name = name;
  library.code = codeOf(*info);
  library.hash = hashOf(library);
  library.calls = callTableOf(*info).filled;
  static_cast<std::vector<OwnCode::Library>*>(into)->push_back(std::move(library));
  return 0;
}

}  // namespace

OwnCode::OwnCode() {
  ::dl_iterate_phdr(add, &libraries_);
}

std::string OwnCode::changed() const {
  for (const Library& library : libraries_) {
    if (hashOf(library) != library.hash || !isAsBefore(library.calls)) return library.name;
  }
  return {};
}

}  // namespace wb
