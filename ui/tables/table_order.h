// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// Lower case for ASCII; other bytes stay.
[[nodiscard]] std::string foldCase(std::string_view text);

/// Rows of the table in which every word (folded) occurs in some cell, in the table's order; with `withParts`
/// those too that are parts of others.
[[nodiscard]] std::vector<int> matchingRows(const Table& table, std::span<const std::string> words,
                                            bool withParts);

/// Sorts row numbers by a column, stable: by Cell::sort where it holds numbers (NaN last either way), else by
/// text without regard to case.
void sortRows(std::vector<int>& rows, const Table& table, std::size_t column, bool descending);

}  // namespace wb
