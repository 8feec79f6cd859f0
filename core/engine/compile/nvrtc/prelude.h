// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// The name under which the prelude is included.
inline constexpr const char* preludeName = "warpbench_prelude.h";

/// A header that NVRTC lacks and kernels include by habit (<cstdint>, <cfloat>, …), given to it as a text.
struct StandInHeader {
  const char* name;
  const char* text;
};
[[nodiscard]] std::span<const StandInHeader> standInHeaders();

/// The text that is included ahead of a source: integer types, limits, and `using scalar_t = …;` (an alias,
/// not a macro, so that a template may call its own parameter scalar_t). `dtype` is an abbreviation; "" is
/// float32. The headers of half and bfloat16 take half as much time again, so they are included only where
/// `scalar_t` or the source's text needs them. Error: CUDA has no such type.
Result<std::string> makePrelude(std::string_view dtype, std::string_view source);

/// The C++ name of `scalar_t` for a dtype: "float", "__half".
Result<std::string> scalarTypeName(std::string_view dtype);

}  // namespace wb
