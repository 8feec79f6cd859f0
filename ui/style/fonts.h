// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace wb {

/// Registers the embedded fonts. Call it once, after QApplication was made.
void loadFonts();

[[nodiscard]] QFont textFont(int pixels = 13, QFont::Weight weight = QFont::Normal);
/// `family` is what the user has chosen for sources; "" is our own.
[[nodiscard]] QFont codeFont(int pixels = 13, const QString& family = {});

}  // namespace wb
