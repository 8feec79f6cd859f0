// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// The file that an #include names, and in which way.
struct IncludeName {
  std::string_view file;
  bool quoted = false;
};
/// Reads the rest of an #include directive: `<torch/extension.h>`. Empty for a macro.
[[nodiscard]] IncludeName includeName(std::string_view rest);

/// What to do with a header that is not one of the user's.
struct IncludeUse {
  /// Which parts keep it.
  bool host = true, device = true;
  /// Why only nvcc can compile it.
  std::string unfit;
};
[[nodiscard]] IncludeUse useOfInclude(std::string_view file);

}  // namespace wb
