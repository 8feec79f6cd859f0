// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/verdict/verdict_line.h"

namespace wb {

/// How times are told to whoever sits at this machine.
[[nodiscard]] ReadersClock clockOfThisMachine();

}  // namespace wb
