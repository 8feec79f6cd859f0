// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/event.h"

namespace wb {

/// Cuts the texts of an event to a length that anybody reads, since user code may raise an exception of forty
/// megabytes.
void boundTexts(Event& event);

/// What is sent instead of an event that is too large although its texts are bounded: the same event without
/// its bulk, and a word about what is missing. It is never nothing.
[[nodiscard]] Event withoutBulk(const Event& event);

}  // namespace wb
