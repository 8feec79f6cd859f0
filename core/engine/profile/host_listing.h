// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// The host's machine code of a shared object: of the functions that hold code of the kernel's own file,
/// which was compiled under one of the names in `own`. Offsets and jumps count from a function's start. Needs
/// objdump, which comes with the compiler. Error: there is none, or it fails.
Result<std::vector<Listing>> disassembleHost(const std::filesystem::path& object,
                                             const std::vector<std::string>& own);

/// The same, parsed from objdump's output (-d -l --inlines -C --no-show-raw-insn).
[[nodiscard]] std::vector<Listing> parseObjdump(std::string_view text, const std::vector<std::string>& own);

}  // namespace wb
