// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <vector>

class QsciScintilla;

namespace wb {

struct SearchQuery {
  QString text;
  bool regex = false, caseSensitive = false, wholeWord = false;
};

/// A match in an editor's document; places are in bytes, as Scintilla counts.
struct SearchHit {
  long from = 0, to = 0;
  /// What the replacement becomes for this match; empty when not asked for.
  QString replacement;
};

/// The query as one multi-line expression; invalid when the user's expression is.
[[nodiscard]] QRegularExpression compileQuery(const SearchQuery& query);

/// Every match that is not empty, in order; `replacement` is null when none is wanted.
[[nodiscard]] std::vector<SearchHit> findAll(const QsciScintilla& editor, const SearchQuery& query,
                                             const QString* replacement);

/// Selects a hit and scrolls to it, with some lines around it.
void selectHit(QsciScintilla& editor, const SearchHit& hit);

/// Marks the first ten thousand hits in the text, in place of what was marked before.
void markHits(QsciScintilla& editor, const std::vector<SearchHit>& hits);

/// Replaces all hits in one undo step.
void replaceHits(QsciScintilla& editor, const std::vector<SearchHit>& hits);

}  // namespace wb
