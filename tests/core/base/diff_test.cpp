// SPDX-License-Identifier: Apache-2.0
#include "core/base/diff.h"

#include <gtest/gtest.h>

#include <random>

namespace wb {
namespace {

std::vector<DiffHunk> diff(const std::string& a, const std::string& b) {
  return diffLines(wholeLines(a), wholeLines(b));
}

std::size_t changedLines(const std::vector<DiffHunk>& hunks) {
  std::size_t count = 0;
  for (const DiffHunk& hunk : hunks) count += hunk.removed + hunk.added;
  return count;
}

// The length of the longest common subsequence by the plain quadratic method.
std::size_t common(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (const std::string_view line : a) {
    std::size_t corner = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = line == b[j] ? corner + 1 : std::max(row[j], above);
      corner = above;
    }
  }
  return row.back();
}

TEST(Diff, LinesKeepTheirEnds) {
  EXPECT_TRUE(wholeLines("").empty());
  EXPECT_EQ(wholeLines("a\n\nb"), (std::vector<std::string_view>{"a\n", "\n", "b"}));
  EXPECT_EQ(wholeLines("a\r\n"), (std::vector<std::string_view>{"a\r\n"}));
}

TEST(Diff, EqualTextsHaveNoHunk) {
  EXPECT_TRUE(diff("", "").empty());
  EXPECT_TRUE(diff("a\nb\n", "a\nb\n").empty());
}

TEST(Diff, SaysWhereLinesWereAddedRemovedAndChanged) {
  EXPECT_EQ(diff("a\nc\n", "a\nb\nc\n"), (std::vector<DiffHunk>{{1, 0, 1, 1}}));
  EXPECT_EQ(diff("a\nb\nc\n", "a\nc\n"), (std::vector<DiffHunk>{{1, 1, 1, 0}}));
  EXPECT_EQ(diff("a\nb\nc\n", "a\nx\nc\n"), (std::vector<DiffHunk>{{1, 1, 1, 1}}));
  EXPECT_EQ(diff("", "a\n"), (std::vector<DiffHunk>{{0, 0, 0, 1}}));
  EXPECT_EQ(diff("a\n", ""), (std::vector<DiffHunk>{{0, 1, 0, 0}}));
  EXPECT_EQ(diff("a\nb", "a\nb\n"), (std::vector<DiffHunk>{{1, 1, 1, 1}})) << "a missing line end is seen";
}

TEST(Diff, FindsTheExampleOfThePaper) {
  const std::string a = "a\nb\nc\na\nb\nb\na\n", b = "c\nb\na\nb\na\nc\n";
  EXPECT_EQ(changedLines(diff(a, b)), 5u);
}

TEST(Diff, IsShortestForRandomTextsAndMakesTheSecondFromTheFirst) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const auto text = [&] {
      std::string made;
      const unsigned lines = random() % 24;
      for (unsigned i = 0; i < lines; ++i) made += std::string(1, char('a' + random() % 4)) + "\n";
      return made;
    };
    const std::string before = text(), after = text();
    const auto a = wholeLines(before), b = wholeLines(after);
    const auto hunks = diffLines(a, b);
    ASSERT_EQ(changedLines(hunks), a.size() + b.size() - 2 * common(a, b)) << before << "---\n" << after;
    ASSERT_EQ(mergeHunks(a, b, hunks, std::vector<bool>(hunks.size(), true)), after);
    ASSERT_EQ(mergeHunks(a, b, hunks, {}), before);
  }
}

TEST(Diff, TextsWithNothingInCommonAreOneHunkAndTakeNoTime) {
  std::string before, after;
  for (int i = 0; i < 20000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(diff(before, after), (std::vector<DiffHunk>{{0, 20000, 0, 20000}}));
}

TEST(Diff, ChosenHunksAreTaken) {
  const std::string mine = "1\n2\n3\n4\n5\n", theirs = "1\nzwei\n3\n4\nfünf\n";
  const auto a = wholeLines(mine), b = wholeLines(theirs);
  const auto hunks = diffLines(a, b);
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(mergeHunks(a, b, hunks, {true, false}), "1\nzwei\n3\n4\n5\n");
  EXPECT_EQ(mergeHunks(a, b, hunks, {false, true}), "1\n2\n3\n4\nfünf\n");
}

}  // namespace
}  // namespace wb
