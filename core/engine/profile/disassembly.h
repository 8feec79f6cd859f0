// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// The machine code of the functions of a cubin (or of those in `functions`, by their names in the binary),
/// with source lines where it has line information; lines leave out the name of `ownFile`, the kernel's own
/// file. Needs nvdisasm, from the toolkit or from Triton's package. Error: neither exists, or it fails.
Result<std::vector<Listing>> disassemble(std::string_view cubin, const std::string& ownFile);

/// The same, parsed from nvdisasm's output.
[[nodiscard]] std::vector<Listing> parseDisassembly(std::string_view text, const std::string& ownFile);

/// Adds how many general registers are in use at each instruction, from nvdisasm's output with life ranges
/// (-plr -lrm count).
void addLiveRegisters(std::vector<Listing>& listings, std::string_view text);

}  // namespace wb
