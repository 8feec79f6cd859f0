// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/line_index.h"

#include <algorithm>

#include "core/engine/compile/text/lexer.h"

namespace wb {

LineIndex::LineIndex(std::string_view text)
    : starts_{0}, mark_(text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n') starts_.push_back(at + 1);
}

Place LineIndex::place(std::size_t offset, const std::string& file) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::size_t start = *(after - 1) == 0 ? std::min(mark_, offset) : *(after - 1);
  return {file, static_cast<int>(after - starts_.begin()), static_cast<int>(offset - start) + 1};
}

}  // namespace wb
