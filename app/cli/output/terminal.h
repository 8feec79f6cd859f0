// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// What a descriptor can show. Colours obey NO_COLOR (no-color.org), CLICOLOR_FORCE and TERM=dumb.
struct Terminal {
  bool interactive = false;  ///< a person looks at it and lines can be rewritten
  bool colors = false;
  int width = 100;  ///< columns
};
[[nodiscard]] Terminal terminal(int descriptor);

enum class Ink { plain, bold, dim, green, red, yellow, blue };
/// `text` in a colour, or as it is where there are none.
[[nodiscard]] std::string ink(const Terminal& terminal, Ink color, std::string_view text);

/// Cut to `columns`, counting UTF-8 characters, with … at the cut.
[[nodiscard]] std::string fit(std::string_view text, int columns);

}  // namespace wb
