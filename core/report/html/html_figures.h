// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/figures/figure.h"

namespace wb {

/// Address within the page of a place in a kernel's source; "" where the page does not show it.
using Link = std::function<std::string(const Place&)>;

/// Rows of a table that stand in the page itself, readable without scripts; report.js pages through the rest.
inline constexpr std::size_t staticRows = 100;

[[nodiscard]] std::string htmlCards(const Cards& cards);
[[nodiscard]] std::string htmlTable(const Table& table, const Link& link);

// What report.js reads: a cell is its text, or [text, tone, sort, detail, bar] without trailing defaults; a
// row is [id, link, cell …].
[[nodiscard]] nlohmann::json pageJson(const Table& table, const Link& link);

/// "tone-good"
[[nodiscard]] std::string toneClass(Tone tone);

}  // namespace wb
