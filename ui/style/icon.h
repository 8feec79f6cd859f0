// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace wb {

enum class IconTone { text, secondary, accent, onAccent, good, bad, warning };

/// An embedded SVG, drawn in the colour of the application's current palette at the screen's resolution:
/// a theme switch and a second screen need nothing more. `name` without folder and ".svg".
[[nodiscard]] QIcon icon(const QString& name, IconTone tone = IconTone::text);

}  // namespace wb
