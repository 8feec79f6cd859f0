// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/figures/figure.h"

namespace wb {

/// A figure as plain JSON: "kind" says which of the others there are. A number that is not known is null.
[[nodiscard]] nlohmann::ordered_json figureJson(const Figure& figure);
/// The rows of a figure as RFC 4180 has them; "" for one that has no rows.
[[nodiscard]] std::string figureCsv(const Figure& figure);

}  // namespace wb
