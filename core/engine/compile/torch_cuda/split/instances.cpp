// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace wb {
namespace {

constexpr std::size_t longestShown = 100;

/// The length of the literal of a character at the beginning, such as 'a' or '\n'; 0 where there is none.
std::size_t characterLength(std::string_view text) {
  const bool escaped = text.size() > 1 && text[1] == '\\';
  const std::size_t close = text.find('\'', escaped ? 3 : 2);
  const std::size_t most = escaped ? 6 : 2;
  if (close == std::string_view::npos || close > most || text[1] == '\'') return 0;
  const bool isPlain = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(close),
                                   [](unsigned char c) { return std::isprint(c) != 0; });
  return isPlain ? close + 1 : 0;
}

/// Whether it can stand between the angles of an instance as compilers spell one.
bool areArguments(std::string_view text) {
  constexpr std::string_view marks = " _:,.*&+-";
  std::string open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::size_t pair = std::string_view("(<[{").find(c);
    if (pair != std::string_view::npos) {
      open += ")>]}"[pair];
    } else if (c == ')' || c == '>' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c || text[i - 1] == '-') return false;
      open.pop_back();
    } else if (c == '\'') {
      const std::size_t length = characterLength(text.substr(i));
      if (length == 0) return false;
      i += length - 1;
    } else if (std::isalnum(static_cast<unsigned char>(c)) == 0 && marks.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return open.empty();
}

}  // namespace

bool isInstance(const std::string& name, const std::vector<std::string>& kernels) {
  const std::string_view said = name;
  return std::any_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) {
    if (said == kernel) return true;
    const std::size_t begin = kernel.size() + 1;
    return said.size() > begin && said.starts_with(kernel) && said[kernel.size()] == '<' &&
           said.ends_with('>') && areArguments(said.substr(begin, said.size() - begin - 1));
  });
}

std::string whyNoInstances(const std::vector<std::string>& names, const Split& split) {
  if (names.size() > mostInstances)
    return fmt::format("it names {} kernels, and at most {} are taken", names.size(), mostInstances);
  for (const std::string& name : names)
    if (name.size() > longestInstance || !isInstance(name, split.kernels))
      return fmt::format("it names a kernel that is none of its source: {}", name.substr(0, longestShown));
  return {};
}

}  // namespace wb
