// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/embedded_header.h"

namespace wb {

/// The name under which the prelude is included.
inline constexpr const char* preludeName = "warpbench_prelude.h";

/// What is there for everything that NVRTC compiles: Warpbench's own headers by their names, and those that
/// stand in the place of CUDA's (<cuda/std/cstdint>), which declare for NVRTC what ours have declared, with
/// other types.
[[nodiscard]] const std::vector<EmbeddedHeader>& headersForNvrtc();

/// These, and the headers that NVRTC lacks and raw CUDA kernels include by habit (<cstdint>, <cfloat>, …).
[[nodiscard]] const std::vector<EmbeddedHeader>& rawCudaHeaders();

/// The text that is included ahead of a source: integer types, limits, and `using scalar_t = …;` (an alias,
/// not a macro, so that a template may call its own parameter scalar_t). `dtype` is an abbreviation; "" is
/// float32. The headers of half and bfloat16 take half as much time again, so they are included only where
/// `scalar_t` or the source's text needs them. Error: CUDA has no such type.
Result<std::string> makePrelude(std::string_view dtype, std::string_view source);

/// The C++ name of `scalar_t` for a dtype: "float", "__half".
Result<std::string> scalarTypeName(std::string_view dtype);

}  // namespace wb
