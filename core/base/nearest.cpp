// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace wb {

namespace {

constexpr std::size_t longestWanted = 1000;

/// The distance of optimal string alignment, which counts insertions, deletions, substitutions and swaps of
/// neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::size_t commonPrefix(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::size_t>(end - a.begin());
}

/// How far a name is from the wanted one, in quarters of an edit, so that a shared beginning can decide
/// between equal distances and never outweighs an edit. Negative when the two share too little.
int remoteness(std::string_view wanted, std::string_view name) {
  const std::size_t shorter = std::min(wanted.size(), name.size());
  const std::size_t longer = std::max(wanted.size(), name.size());
  const bool inside = shorter >= 3 && (name.find(wanted) != std::string_view::npos ||
                                       wanted.find(name) != std::string_view::npos);
  const std::size_t edits = distance(wanted, name);
  if (inside)
    return static_cast<int>(std::min<std::size_t>(edits, 8) * 2) +
           (commonPrefix(wanted, name) == shorter ? 0 : 1);
  if (edits > std::max<std::size_t>(1, longer / 3) || edits >= shorter) return -1;
  const int favour = static_cast<int>(std::min<std::size_t>(commonPrefix(wanted, name), 3));
  return static_cast<int>(edits * 4) - favour;
}

}  // namespace

std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> names,
                                 std::size_t count) {
  // No name is that long, and the time that this takes grows with the product of both lengths.
  if (wanted.size() > longestWanted) return {};
  const std::string target = lowerCase(wanted);
  std::vector<std::pair<int, const std::string*>> ranked;
  for (const std::string& name : names)
    if (const int far = name == wanted ? 0 : remoteness(target, lowerCase(name)); far >= 0)
      ranked.emplace_back(far, &name);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->size() < b.second->size();
  });
  std::vector<std::string> result;
  for (const auto& [far, name] : ranked) {
    if (result.size() == count) break;
    if (std::find(result.begin(), result.end(), *name) == result.end()) result.push_back(*name);
  }
  return result;
}

std::string didYouMean(std::string_view wanted, std::span<const std::string> names) {
  const std::vector<std::string> near = nearest(wanted, names);
  if (near.empty()) return "";
  std::string text = "did you mean " + near.front();
  for (std::size_t i = 1; i < near.size(); ++i) text += (i + 1 == near.size() ? " or " : ", ") + near[i];
  return text + "?";
}

}  // namespace wb
