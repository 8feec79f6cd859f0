// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;

namespace wb {

/// A label that shows a text as it is, whatever stands in it, and goes on in the next line where it is too
/// long. `style` is the name by which the style sheet knows it: "hint".
[[nodiscard]] QLabel* textLabel(const QString& text, const char* style = "");

}  // namespace wb
