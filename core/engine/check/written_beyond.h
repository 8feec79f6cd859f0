// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <cstddef>
#include <string>

#include "core/engine/call_elsewhere.h"
#include "core/engine/check/shared_memory.h"
#include "core/engine/sides/bands/guard_bands.h"

namespace wb {

/// The message "the kernel writes beyond the end of its input 'self' (16 B)".
[[nodiscard]] std::string wordsOf(const WrittenBeyond& beyond, const c10::FunctionSchema& schema,
                                  const CallResults& side);

/// The same of a call that was made in another process and has so many results.
[[nodiscard]] std::string wordsOf(const WrittenThere& beyond, std::size_t results);

}  // namespace wb
