// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

int score(const char* pattern, const char* text) {
  const auto match = fuzzyMatch(QString::fromLatin1(pattern), QString::fromLatin1(text));
  return match ? match->score : -1;
}

TEST(Fuzzy, FindsLettersInOrderWithoutRegardToCase) {
  const auto match = fuzzyMatch(QStringLiteral("FS"), QStringLiteral("File: Save"));
  ASSERT_TRUE(match);
  EXPECT_EQ(match->positions, (QList<int>{0, 6}));
  EXPECT_FALSE(fuzzyMatch(QStringLiteral("sf"), QStringLiteral("File: Save")).has_value());
}

TEST(Fuzzy, PrefersStartsOfWordsAndRuns) {
  EXPECT_GT(score("run", "Run: Run"), score("run", "Return under nothing"));
  EXPECT_GT(score("sa", "File: Save"), score("sa", "File: Close all tabs"));
}

TEST(Fuzzy, EmptyPatternMatchesEverythingAndSpacesAreIgnored) {
  EXPECT_EQ(score("", "anything"), 0);
  EXPECT_GT(score("file save", "File: Save"), 0);
}

}  // namespace
}  // namespace wb
