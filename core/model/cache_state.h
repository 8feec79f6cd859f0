// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum.h"

namespace wb {

/// What the device's caches held of a call's arguments when it began: nothing (cold), or what the same call
/// had left there (hot).
WB_ENUM(CacheState, unknown, cold, hot);

}  // namespace wb
