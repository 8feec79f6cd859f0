// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/row_finder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace wb {
namespace {

char foldLetter(char c) {
  return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

const Cell& cellAt(const Table& table, std::size_t row, std::size_t column) {
  static const Cell none;
  const auto& cells = table.rows[row].cells;
  return column < cells.size() ? cells[column] : none;
}

}  // namespace

std::string foldCase(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(), foldLetter);
  return folded;
}

RowCounts RowFinder::counts(bool withParts) const {
  RowCounts counts{0, std::vector<int>(table_->sets.size(), 0)};
  for (const Table::Row& row : table_->rows) {
    if (!withParts && row.depth > 0) continue;
    ++counts.all;
    for (std::size_t set = 0; row.sets != 0 && set < counts.sets.size(); ++set)
      counts.sets[set] += int(row.sets >> set & 1U);
  }
  return counts;
}

std::vector<int> RowFinder::rows(const RowQuery& query) const {
  const std::lock_guard lock(mutex_);
  if (!query.words.empty()) readTexts();
  const std::uint32_t wanted = query.set < 0 ? 0 : 1U << unsigned(query.set);
  std::vector<int> rows;
  rows.reserve(table_->rows.size());
  for (std::size_t i = 0; i < table_->rows.size(); ++i) {
    const Table::Row& row = table_->rows[i];
    if ((query.withParts || row.depth == 0) && (row.sets & wanted) == wanted && hasWords(i, query))
      rows.push_back(int(i));
  }
  if (query.column >= 0 && query.column < int(table_->columns.size()))
    sort(rows, ranks(std::size_t(query.column)), query.descending);
  else
    putLeadingFirst(rows);
  return rows;
}

bool RowFinder::hasWords(std::size_t row, const RowQuery& query) const {
  if (query.words.empty()) return true;
  const std::size_t begin = row == 0 ? 0 : ends_[row - 1];
  const std::string_view text = std::string_view(texts_).substr(begin, ends_[row] - begin);
  return std::all_of(query.words.begin(), query.words.end(),
                     [text](const std::string& word) { return text.find(word) != text.npos; });
}

void RowFinder::readTexts() const {
  if (!ends_.empty()) return;
  ends_.reserve(table_->rows.size());
  for (const Table::Row& row : table_->rows) {
    for (const Cell& cell : row.cells) {
      if (cell.text.empty()) continue;
      texts_ += cell.text;
      texts_ += '\n';
    }
    ends_.push_back(texts_.size());
  }
  std::transform(texts_.begin(), texts_.end(), texts_.begin(), foldLetter);
}

const RowFinder::Ranks& RowFinder::ranks(std::size_t column) const {
  if (const auto known = ranks_.find(column); known != ranks_.end()) return known->second;
  // A word with a number behind it, such as a severity, sorts by the number.
  const bool isRanked = !table_->rows.empty() && !std::isnan(cellAt(*table_, 0, column).sort);
  const bool byNumber = isNumber(table_->columns[column].kind) || isRanked;
  return ranks_.emplace(column, byNumber ? numberRanks(column) : textRanks(column)).first->second;
}

RowFinder::Ranks RowFinder::numberRanks(std::size_t column) const {
  std::vector<std::pair<double, std::uint32_t>> numbers;
  numbers.reserve(table_->rows.size());
  Ranks ranks{std::vector<std::uint32_t>(table_->rows.size(), missing), 0};
  for (std::size_t i = 0; i < table_->rows.size(); ++i)
    if (const double number = cellAt(*table_, i, column).sort; !std::isnan(number))
      numbers.emplace_back(number, std::uint32_t(i));
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && numbers[i].first != numbers[i - 1].first) ++ranks.count;
    ranks.of[numbers[i].second] = ranks.count;
  }
  ranks.count += numbers.empty() ? 0 : 1;
  return ranks;
}

// Most columns of text have few different texts, so those are sorted and not the rows.
RowFinder::Ranks RowFinder::textRanks(std::size_t column) const {
  std::unordered_map<std::string, std::uint32_t> places;
  std::vector<std::uint32_t> which(table_->rows.size());
  for (std::size_t i = 0; i < table_->rows.size(); ++i)
    which[i] = places.try_emplace(foldCase(cellAt(*table_, i, column).text), std::uint32_t(places.size()))
                   .first->second;
  std::vector<std::pair<std::string_view, std::uint32_t>> texts(places.begin(), places.end());
  std::sort(texts.begin(), texts.end());
  std::vector<std::uint32_t> rankOf(texts.size());
  for (std::size_t rank = 0; rank < texts.size(); ++rank) rankOf[texts[rank].second] = std::uint32_t(rank);
  Ranks ranks{std::move(which), std::uint32_t(texts.size())};
  for (std::uint32_t& one : ranks.of) one = rankOf[one];
  return ranks;
}

// Counts how many rows have each rank, which takes one walk over them where comparing would take many.
void RowFinder::sort(std::vector<int>& rows, const Ranks& ranks, bool descending) const {
  const auto bucket = [&](int row) {
    const std::uint32_t rank = ranks.of[std::size_t(row)];
    return rank == missing ? std::size_t(ranks.count) : descending ? ranks.count - 1 - rank : rank;
  };
  std::vector<std::size_t> next(std::size_t(ranks.count) + 2, 0);
  for (const int row : rows) ++next[bucket(row) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<int> sorted(rows.size());
  for (const int row : rows) sorted[next[bucket(row)]++] = row;
  rows = std::move(sorted);
}

void RowFinder::putLeadingFirst(std::vector<int>& rows) const {
  std::uint32_t leading = 0;
  for (std::size_t set = 0; set < table_->sets.size(); ++set)
    if (table_->sets[set].leads) leading |= 1U << set;
  if (leading == 0) return;
  std::stable_partition(rows.begin(), rows.end(),
                        [&](int row) { return (table_->rows[std::size_t(row)].sets & leading) != 0; });
}

}  // namespace wb
