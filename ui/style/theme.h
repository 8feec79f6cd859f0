// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "core/figures/figure.h"
#include "editor/editor_palette.h"

namespace wb {

/// The colours of the window. Everything that paints takes them from here, so that the whole look is one
/// value.
struct Theme {
  bool dark = true;
  /// The background of everything; of lists and editor; of cards; of input fields.
  QColor window, surface, raised, field;
  QColor border, strongBorder, hover, selected;
  QColor text, secondary, muted;
  QColor accent, accentHover, accentPressed, onAccent, accentSoft;
  QColor good, bad, warning;
  /// Backgrounds of pills and banners.
  QColor goodSoft, badSoft, warningSoft;
  /// The colours of charts.
  QColor barGood, barBad, barNeutral, grid;
};

[[nodiscard]] const Theme& darkTheme();
[[nodiscard]] const Theme& lightTheme();

/// The theme from which a palette was made. Widgets, icons and delegates ask their own palette and need no
/// other way to learn of a new theme.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);

[[nodiscard]] QPalette paletteOf(const Theme& theme);
[[nodiscard]] EditorPalette editorPaletteOf(const Theme& theme);
[[nodiscard]] QColor toneColor(const Theme& theme, Tone tone);
[[nodiscard]] QColor toneBackground(const Theme& theme, Tone tone);

}  // namespace wb
