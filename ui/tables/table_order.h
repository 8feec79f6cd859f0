// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// The text in lower case for ASCII; other bytes stay.
[[nodiscard]] std::string foldCase(std::string_view text);

/// The rows of the table in which every word (folded) occurs in some cell, in the table's order; with
/// `withParts` those that are parts of others too.
[[nodiscard]] std::vector<int> matchingRows(const Table& table, std::span<const std::string> words,
                                            bool withParts);

/// Sorts row numbers by a column, in a stable way: by Cell::sort where the column holds numbers (NaN is last
/// either way), else by text, where upper and lower case are the same.
void sortRows(std::vector<int>& rows, const Table& table, std::size_t column, bool descending);

}  // namespace wb
