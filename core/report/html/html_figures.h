// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/figures/figure.h"

namespace wb {

/// Address within the page of a place in a kernel's source; "" where the page does not show it.
using Link = std::function<std::string(const Place&)>;

/// Rows of a table that are seen at once. The others are in the page too, hidden until report.js pages to
/// them or where scripts are off.
inline constexpr std::size_t pageRows = 50;

[[nodiscard]] std::string htmlCards(const Cards& cards);
/// Every row, with what report.js sorts and filters by: a column's kind, unit and better side at its head, a
/// number's value at its cell.
[[nodiscard]] std::string htmlTable(const Table& table, const Link& link);

/// "tone-good"
[[nodiscard]] std::string toneClass(Tone tone);

}  // namespace wb
