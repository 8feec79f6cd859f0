// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy.h"

namespace wb {
namespace {

bool startsWord(const QString& text, int at) {
  return at == 0 || !text[at - 1].isLetterOrNumber();
}

// Matches greedily from `from` on, which is good enough when it is tried from every place where the first
// letter occurs.
std::optional<FuzzyMatch> matchFrom(const QString& pattern, const QString& text, int from) {
  FuzzyMatch match;
  int at = from;
  for (const QChar wanted : pattern) {
    int found = -1;
    for (int i = at; i < text.size(); ++i) {
      if (text[i].toCaseFolded() != wanted) continue;
      if (found < 0) found = i;
      if (i == at || startsWord(text, i)) {
        found = i;
        break;
      }
    }
    if (found < 0) return std::nullopt;
    const bool run = !match.positions.isEmpty() && match.positions.last() == found - 1;
    match.score += 1 + (run ? 9 : 0) + (startsWord(text, found) ? 8 : 0);
    match.positions.push_back(found);
    at = found + 1;
  }
  match.score -= match.positions.isEmpty() ? 0 : match.positions.first() / 4;
  return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text) {
  QString wanted = pattern.toCaseFolded();
  wanted.remove(QLatin1Char(' '));
  if (wanted.isEmpty()) return FuzzyMatch{};
  std::optional<FuzzyMatch> best;
  for (int i = 0; i < text.size(); ++i) {
    if (text[i].toCaseFolded() != wanted[0]) continue;
    auto match = matchFrom(wanted, text, i);
    if (match && (!best || match->score > best->score)) best = std::move(match);
  }
  return best;
}

}  // namespace wb
