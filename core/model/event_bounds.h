// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/event.h"

namespace wb {

/// Cuts the texts of an event to what anybody reads; user code may raise forty megabytes.
void boundTexts(Event& event);

/// What to say instead of an event that is too large to send though its texts are bounded: the same news
/// without its bulk, and a word on what is missing. Never nothing.
[[nodiscard]] Event withoutBulk(const Event& event);

}  // namespace wb
