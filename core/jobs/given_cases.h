// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

/// Cases that a client wrote, as a suite: in the operator-log format, or one call of `op` on each line, such
/// as
/// ((T([64, 64], f32),), {}). Errors: those of a line, with its place in "cases"; calls without an operator;
/// no case.
[[nodiscard]] Result<Suite> givenCases(std::string_view text, const std::string& op);

}  // namespace wb
