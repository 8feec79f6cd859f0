// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace wb {

/// Where the letters of `pattern` were found in `text`, in order, and how good a match that is.
struct FuzzyMatch {
  /// Higher is better: starts of words and runs of letters count.
  int score = 0;
  QList<int> positions;
};

/// Matches a subsequence, ignoring case; nothing when a letter is missing. An empty pattern matches
/// everything with score 0. Spaces in the pattern are ignored.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

}  // namespace wb
