// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace wb {

/// Whether arrays and objects of a JSON text lie deeper than `most` in each other. It reads the text once and
/// stops where it knows, so it may be asked of anything that anybody sends.
[[nodiscard]] bool isDeeperThan(std::string_view json, std::size_t most);

}  // namespace wb
