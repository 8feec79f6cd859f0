// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace wb {

/// Makes torch's context on a GPU, which takes some tenths of a second, and that GPU the current one of this
/// thread for the driver and for torch alike: a launch in user code that names no device goes there. Throws
/// what torch throws.
Result<void> enterDevice(int device);

/// The GPU that is torch's current one on this thread; -1 before any was entered.
[[nodiscard]] int currentDevice();

/// Makes it the current one where any was entered. -1 changes nothing. Throws what torch throws.
void setCurrentDevice(int device);

}  // namespace wb
