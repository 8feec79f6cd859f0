// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb::asset {

/// The files of resources/opcodes: a name, a tab and what it does on each line.
extern const std::string_view opcodesSass, opcodesPtx, opcodesHost;

}  // namespace wb::asset
