// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/model/profile.h"

namespace wb {

/// The operation in a row of code, without what it works on: "LDG.E.128" in "@!P0 LDG.E.128 R4, …", "lea" in
/// "lea rax,[rdi]", "tt.load" in "%3 = tt.load %2". Empty where there is none.
[[nodiscard]] std::string_view opcodeIn(ListingKind kind, std::string_view row);

/// What an operation does, in one line: "LDG: Loads from global memory". Empty where it is not known. Names
/// are those that NVIDIA publishes (CUDA Binary Utilities, PTX ISA); of x86 the frequent ones.
[[nodiscard]] std::string opcodeHelp(ListingKind kind, std::string_view opcode);

}  // namespace wb
