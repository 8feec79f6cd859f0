// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace wb {

/// The device that --device means: "auto" is a GPU where there is one. Error of stage `setup`, however the
/// name is spelled: this machine has no such device.
Result<std::string> chosenDevice(const std::string& wanted);

}  // namespace wb
