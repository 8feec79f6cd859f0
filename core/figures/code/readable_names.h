// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// A row of code with the names of C++ functions in it as their source has them: "call f(int)" for
/// "call _Z1fi". What is no such name stays as it is.
[[nodiscard]] std::string withReadableNames(std::string_view row);

}  // namespace wb
