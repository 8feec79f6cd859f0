// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// Machine code of the functions of a cubin with source lines where it has line information; `ownFile` is the
/// kernel's own file, whose name lines then leave out. Needs nvdisasm: from the toolkit, or Triton's package.
/// Error: neither is there, or it fails.
Result<std::vector<Listing>> disassemble(std::string_view cubin, const std::string& ownFile);

/// The same from nvdisasm's output.
[[nodiscard]] std::vector<Listing> parseDisassembly(std::string_view text, const std::string& ownFile);

}  // namespace wb
