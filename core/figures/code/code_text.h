// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/model/profile.h"

namespace wb {

/// A line of what a compiler wrote, with the line of the source that it was made for; line 0 is unknown.
struct CodeLine {
  std::string text;
  Place place;
};

/// The lines of PTX by its ".loc" directives, of MLIR by its "loc(#loc3)", of LLVM's language by its "!dbg
/// !12". What only carries places is left out, and so are blank lines that follow each other. A place in the
/// kernel's own file, whose path is `own`, has that path; compilers may work on a copy elsewhere.
[[nodiscard]] std::vector<CodeLine> codeLines(ListingKind kind, std::string_view text,
                                              const std::string& own);

}  // namespace wb
