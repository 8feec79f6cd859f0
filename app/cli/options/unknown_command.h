// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// Why the words after the program's name are not a command, with the nearest command there is; nothing when
/// they begin with one of `commands` or with an option. `arguments` are without the program's name.
[[nodiscard]] std::optional<Error> unknownCommand(const std::vector<std::string>& arguments,
                                                  const std::vector<std::string>& commands);

/// The arguments in the present spelling: `backendbench run …` is `backendbench …`.
[[nodiscard]] std::vector<std::string> inTodaysWords(std::vector<std::string> arguments);

}  // namespace wb
