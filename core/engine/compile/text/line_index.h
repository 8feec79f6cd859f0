// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace wb {

/// Gives line and column of an offset in a text as compilers count them: from 1, in bytes, and without a byte
/// order mark.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  [[nodiscard]] Place place(std::size_t offset, const std::string& file) const;

 private:
  std::vector<std::size_t> starts_;
  /// The length of the byte order mark.
  std::size_t mark_ = 0;
};

}  // namespace wb
