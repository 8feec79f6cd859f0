// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/style/theme.h"

namespace wb {

/// The colour of a series or of a stack's key; after the eighth they begin again.
[[nodiscard]] QColor seriesColor(const Theme& theme, int series);
/// The colour of a bar that compares: accent for faster, red for slower, grey for neither.
[[nodiscard]] QColor barColor(const Theme& theme, Tone tone);
/// The colour of a key of a stack, by its tone or its number among those with a colour of their own.
[[nodiscard]] QColor keyColor(const Theme& theme, const StackChart& chart, std::size_t key);

}  // namespace wb
