// SPDX-License-Identifier: Apache-2.0
#include "core/base/cut_text.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

TEST(CutText, LeavesAloneWhatIsShortEnough) {
  EXPECT_EQ(cutText("", 0), "");
  EXPECT_EQ(cutText("eight by", 8), "eight by");
}

TEST(CutText, KeepsBeginningAndEndAndSaysWhatIsMissing) {
  const std::string cut = cutText("begin" + std::string(40 << 20, 'x') + "the end", 3000);
  EXPECT_LT(cut.size(), 3100U);
  EXPECT_TRUE(cut.starts_with("beginxx"));
  EXPECT_TRUE(cut.ends_with("xxthe end"));
  EXPECT_THAT(cut, testing::HasSubstr("40.0 MiB were cut out here"));
}

TEST(CutText, CutsOnce) {
  for (const std::size_t size : {3001, 4000, 400000}) {
    const std::string cut = cutText(std::string(size, 'x'), 3000);
    EXPECT_LE(cut.size(), 3000U);
    EXPECT_EQ(cutText(cut, 3000), cut);
  }
}

TEST(CutText, NeverCutsACharacterInTwo) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "€";  // three bytes each
  for (std::size_t limit = 30; limit < 40; ++limit) {
    const std::string cut = cutText(text, limit);
    const std::string head = cut.substr(0, cut.find('\n')), tail = cut.substr(cut.rfind('\n') + 1);
    EXPECT_EQ(head.size() % 3, 0U) << limit;
    EXPECT_EQ(tail.size() % 3, 0U) << limit;
    EXPECT_LE(head.size() + tail.size(), limit);
  }
}

}  // namespace
}  // namespace wb
