// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace wb {

/// A formatted quantity for axes, without the zeros that only say how exact it is: "1.00×" → "1×", "0.500 µs"
/// → "0.5 µs".
[[nodiscard]] QString axisText(const std::string& quantity);

/// The smallest of 1, 2 or 5 times a power of ten that divides `range` into at most `most` parts.
[[nodiscard]] double roundStep(double range, int most);

}  // namespace wb
