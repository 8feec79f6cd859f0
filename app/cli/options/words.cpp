// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/words.h"

#include <algorithm>

namespace wb {

std::vector<std::string> words(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    const std::string_view part = text.substr(start, end - start);
    if (const auto first = part.find_first_not_of(' '); first != std::string_view::npos)
      parts.emplace_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
    start = end + 1;
  }
  return parts;
}

}  // namespace wb
