// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/engine/call.h"

namespace wb {

/// What a kernel of the test guest does with its arguments.
using TestKernel = std::function<Stack(const Stack& arguments)>;

/// All of them by name; some do what they can against their judge.
const std::map<std::string, TestKernel>& testKernels();

/// Never returns.
[[noreturn]] void hang();

/// Ends the process by a signal.
[[noreturn]] void crash();

}  // namespace wb
