// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "core/figures/figure.h"
#include "editor/editor_palette.h"

namespace wb {

/// The colours of the window. Everything that paints takes them from here, so that a look is one value.
struct Theme {
  bool dark = true;
  QColor window, surface, raised, field;  ///< behind everything; lists and editor; cards; input fields
  QColor border, strongBorder, hover, selected;
  QColor text, secondary, muted;
  QColor accent, accentHover, accentPressed, onAccent, accentSoft;
  QColor good, bad, warning;
  QColor goodSoft, badSoft, warningSoft;     ///< backgrounds of pills and banners
  QColor barGood, barBad, barNeutral, grid;  ///< charts
};

[[nodiscard]] const Theme& darkTheme();
[[nodiscard]] const Theme& lightTheme();

/// The theme that a palette was made from: widgets, icons and delegates ask their own palette and need no
/// other way to learn about a switch.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);

[[nodiscard]] QPalette paletteOf(const Theme& theme);
[[nodiscard]] EditorPalette editorPaletteOf(const Theme& theme);
[[nodiscard]] QColor toneColor(const Theme& theme, Tone tone);
[[nodiscard]] QColor toneBackground(const Theme& theme, Tone tone);

}  // namespace wb
