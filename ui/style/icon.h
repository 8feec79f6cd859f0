// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace wb {

enum class IconTone { text, secondary, accent, onAccent, good, bad, warning };

/// An embedded SVG, drawn in the colour of the application's current palette at the screen's resolution, so
/// that a new theme or a second screen needs nothing more. `name` is without folder and ".svg".
[[nodiscard]] QIcon icon(const QString& name, IconTone tone = IconTone::text);

}  // namespace wb
