// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// The file that an #include names, and how.
struct IncludeName {
  std::string_view file;
  bool quoted = false;
};
/// Of the rest of an #include directive: `<torch/extension.h>`. Empty for a macro.
[[nodiscard]] IncludeName includeName(std::string_view rest);

/// What to do with a header that is not one of the user's.
struct IncludeUse {
  bool host = true, device = true;  ///< the part keeps it
  std::string unfit;                ///< why only nvcc can compile it
};
[[nodiscard]] IncludeUse useOfInclude(std::string_view file);

}  // namespace wb
