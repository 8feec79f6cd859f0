// SPDX-License-Identifier: Apache-2.0
#include "core/model/builds/builds.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace wb {
namespace {

/// The words of a version and its numbers: "libstdc++ 12.1" is ("libstdc++ ", 12, 1).
std::pair<std::string, std::vector<int>> partsOf(const std::string& library) {
  const std::size_t start = std::min(library.find_first_of("0123456789"), library.size());
  std::pair<std::string, std::vector<int>> parts{library.substr(0, start), {}};
  for (std::size_t at = start; at < library.size();) {
    const std::size_t end = std::min(library.find('.', at), library.size());
    std::from_chars(library.data() + at, library.data() + end, parts.second.emplace_back());
    at = end + 1;
  }
  return parts;
}

}  // namespace

bool isNewerLibrary(const std::string& library, const std::string& than) {
  if (library.empty() || than.empty()) return false;
  const auto [name, numbers] = partsOf(library);
  const auto [otherName, otherNumbers] = partsOf(than);
  return name != otherName || numbers > otherNumbers;
}

}  // namespace wb
