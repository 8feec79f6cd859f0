// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// What a descriptor can show. Colours obey NO_COLOR (no-color.org), CLICOLOR_FORCE and TERM=dumb.
struct Terminal {
  /// A person looks at it, and lines can be rewritten.
  bool interactive = false;
  bool colors = false;
  /// The width in columns.
  int width = 100;
};
[[nodiscard]] Terminal terminal(int descriptor);

enum class Ink { plain, bold, dim, green, red, yellow, blue };
/// `text` in a colour, or as it is where there are none.
[[nodiscard]] std::string ink(const Terminal& terminal, Ink color, std::string_view text);

/// The text cut to `columns`, counting UTF-8 characters, with … at the cut.
[[nodiscard]] std::string fit(std::string_view text, int columns);

}  // namespace wb
