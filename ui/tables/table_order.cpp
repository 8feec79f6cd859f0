// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wb {
namespace {

char fold(char c) {
  return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

bool contains(const std::string& text, const std::string& word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return fold(a) == b; }) != text.end();
}

bool takes(const std::vector<Cell>& cells, std::span<const std::string> words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return contains(c.text, word); });
  });
}

const Cell& at(const Table& table, int row, std::size_t column) {
  static const Cell none;
  const auto& cells = table.rows[size_t(row)].cells;
  return column < cells.size() ? cells[column] : none;
}

template <class Key, class Less>
void sortBy(std::vector<int>& rows, Key key, Less less) {
  std::vector<std::pair<decltype(key(0)), int>> keyed;
  keyed.reserve(rows.size());
  for (const int row : rows) keyed.emplace_back(key(row), row);
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&](const auto& a, const auto& b) { return less(a.first, b.first); });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keyed[i].second;
}

}  // namespace

std::string foldCase(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(), fold);
  return folded;
}

std::vector<int> matchingRows(const Table& table, std::span<const std::string> words, bool withParts) {
  std::vector<int> rows;
  rows.reserve(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if ((withParts || table.rows[i].depth == 0) && takes(table.rows[i].cells, words)) rows.push_back(int(i));
  return rows;
}

void sortRows(std::vector<int>& rows, const Table& table, std::size_t column, bool descending) {
  // A word with a number behind it, such as a severity, sorts by the number.
  const bool ranked = !rows.empty() && !std::isnan(at(table, rows.front(), column).sort);
  if (isNumber(table.columns[column].kind) || ranked) {
    sortBy(
        rows, [&](int row) { return at(table, row, column).sort; },
        [descending](double a, double b) {
          if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
          return descending ? a > b : a < b;
        });
    return;
  }
  sortBy(
      rows, [&](int row) { return std::string_view(at(table, row, column).text); },
      [descending](std::string_view a, std::string_view b) {
        const auto less = [](char x, char y) { return fold(x) < fold(y); };
        if (descending) std::swap(a, b);
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
      });
}

}  // namespace wb
