// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/figures/figure.h"

class QLabel;

namespace wb {

/// A label that shows a text as it is, whatever stands in it, and goes on in the next line where it is too
/// long. `style` is the name by which the style sheet knows it: "hint".
[[nodiscard]] QLabel* textLabel(const QString& text, const char* style = "");

/// Gives a label that the style sheet knows as a "hint" the colour of a tone, in this theme and the next.
void setTone(QLabel& label, Tone tone);

/// A text for several lines, of which none ends between a number and its unit.
[[nodiscard]] QString unbrokenQuantities(QString text);

}  // namespace wb
