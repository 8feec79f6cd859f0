// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// A number as Python's repr() writes it: the shortest digits that read back, always with a point or an
/// exponent; "nan", "inf", "-inf".
[[nodiscard]] std::string pythonFloat(double value);

}  // namespace wb
