// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <gmock/gmock.h>

#include <set>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, TrimmedHasNoBlanksAroundIt) {
  EXPECT_EQ(trimmed(" \t\r\n a b \v\f\n"), "a b");
  EXPECT_EQ(trimmed(" \n "), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, SplitKeepsWhatIsEmpty) {
  EXPECT_THAT(split("a, b,,", ','), ElementsAre("a", " b", "", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, LinesHaveNoEnds) {
  EXPECT_THAT(splitLines("a\r\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(splitLines("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(splitLines("\n"), ElementsAre(""));
  EXPECT_THAT(splitLines(""), IsEmpty());
}

TEST(Text, JoinedTakesAnyRangeOfTexts) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(joined(std::set<std::string_view>{"b", "a"}, "\n"), "a\nb");
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
}

TEST(Text, ListedSaysHowManyFollow) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(listed(names, 2), "a, b and 1 more");
  EXPECT_EQ(listed(names, 3), "a, b, c");
  EXPECT_EQ(listed({}, 3), "");
}

TEST(Text, LowerCaseLeavesWhatIsNoLatinLetter) {
  EXPECT_EQ(lowerCase("ReLU_É9"), "relu_É9");
}

TEST(Text, TheFileNameFollowsTheLastSlash) {
  EXPECT_EQ(fileNameOf("/a/b.cu"), "b.cu");
  EXPECT_EQ(fileNameOf("b.cu"), "b.cu");
  EXPECT_EQ(fileNameOf("/a/"), "");
}

TEST(Text, FilesAreTheSameWhereTheShorterPathEndsTheLonger) {
  EXPECT_TRUE(isSameFile("k.cu", "/a/b/k.cu"));
  EXPECT_TRUE(isSameFile("/a/b/k.cu", "./b/k.cu"));
  EXPECT_TRUE(isSameFile("../b/./c/../k.cu", "/a/b/k.cu"));
  EXPECT_FALSE(isSameFile("c/k.cu", "/a/b/k.cu"));
  EXPECT_FALSE(isSameFile("k.cu", "ak.cu"));
  EXPECT_FALSE(isSameFile("", "k.cu"));
  EXPECT_TRUE(isSameFile("", "")) << "a text without a name, as its compiler names it";
}

TEST(Text, Utf8CharactersHaveTheirLengthAndNothingElseHasOne) {
  EXPECT_EQ(utf8Length("a", 0), 1U);
  EXPECT_EQ(utf8Length("é", 0), 2U);
  EXPECT_EQ(utf8Length("x×", 1), 2U);
  EXPECT_EQ(utf8Length("≥", 0), 3U);
  EXPECT_EQ(utf8Length("\xF4\x8F\xBF\xBF", 0), 4U);
  EXPECT_EQ(utf8Length("é", 1), 0U) << "the middle of a character";
  EXPECT_EQ(utf8Length("\xE2\x89", 0), 0U) << "cut";
  EXPECT_EQ(utf8Length("\xC0\x80", 0), 0U) << "longer than need be";
  EXPECT_EQ(utf8Length("\xE0\x80\x80", 0), 0U) << "longer than need be";
  EXPECT_EQ(utf8Length("\xED\xA0\x80", 0), 0U) << "half a surrogate pair";
  EXPECT_EQ(utf8Length("\xF4\x90\x80\x80", 0), 0U) << "beyond Unicode";
  EXPECT_EQ(utf8Length("a", 1), 0U) << "behind the end";
}

}  // namespace
}  // namespace wb
