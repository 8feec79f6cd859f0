// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/commands/suite_choice.h"

namespace wb {

/// `warpbench list operators|suites|cases|languages|devices|reports`, one a line, to standard output.
/// `filter` is a name in any spelling or a glob. Cases are those of `choice`, in the operator-log format, so
/// that they make a file of cases (without the values that opinfo has stored). The shell's exit status.
int listCommand(const std::string& what, const std::string& filter, const SuiteChoice& choice = {});

}  // namespace wb
