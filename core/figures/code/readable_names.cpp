// SPDX-License-Identifier: Apache-2.0
#include "core/figures/code/readable_names.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace wb {
namespace {

bool isPartOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

}  // namespace

std::string withReadableNames(std::string_view row) {
  std::string made;
  std::size_t at = 0;
  for (std::size_t start = row.find("_Z"); start != std::string_view::npos; start = row.find("_Z", at)) {
    std::size_t end = start;
    while (end < row.size() && isPartOfName(row[end])) ++end;
    made += row.substr(at, start - at);
    at = end;
    const std::string name(row.substr(start, end - start));
    const bool isInside = start > 0 && isPartOfName(row[start - 1]);
    int status = -1;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        isInside ? nullptr : abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    made += readable && status == 0 ? std::string(readable.get()) : name;
  }
  return made.append(row.substr(at));
}

}  // namespace wb
