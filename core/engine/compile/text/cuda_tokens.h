// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace wb {

/// A word, a number, or one character of a C++ text.
struct CudaToken {
  std::string text;
  std::size_t offset = 0;
  [[nodiscard]] bool isWord() const {
    return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_';
  }
  [[nodiscard]] bool isNumber() const { return std::isdigit(static_cast<unsigned char>(text[0])) != 0; }
};

/// Tokens of a CUDA source without comments, string and character literals (raw strings too) and preprocessor
/// lines. `includesFiles` is set where a line includes a file of the user's (`#include "…"`).
[[nodiscard]] std::vector<CudaToken> cudaTokens(std::string_view text, bool& includesFiles);

/// End of the comment, literal or preprocessor line that begins at `at`; `at` where none begins there.
/// `lineStart` tells that only blanks stand before it on its line.
[[nodiscard]] std::size_t skipped(std::string_view text, std::size_t at, bool lineStart);

/// Line and column of an offset.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  [[nodiscard]] Place place(std::size_t offset, const std::string& file) const;

 private:
  std::vector<std::size_t> starts_;
};

}  // namespace wb
