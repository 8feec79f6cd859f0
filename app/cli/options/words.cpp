// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/words.h"

#include "core/base/text.h"

namespace wb {

std::vector<std::string> words(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, separator))
    if (const std::string_view word = trimmed(part); !word.empty()) parts.emplace_back(word);
  return parts;
}

}  // namespace wb
