// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace wb {

/// The device that --device means; "auto" is a GPU where there is one. Error of stage `setup`: this machine
/// has no such device, however its name is spelled.
Result<std::string> chosenDevice(const std::string& wanted);

}  // namespace wb
