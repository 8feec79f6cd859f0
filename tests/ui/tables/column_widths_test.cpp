// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/column_widths.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QFontMetricsF>

#include "ui/style/fonts.h"
#include "ui/tables/text_measure.h"

namespace wb {
namespace {

using testing::ElementsAre;

constexpr ColumnWish fixed(int width) {
  return {width, width, 0, false};
}

TEST(ColumnWidths, WithRoomNothingIsCutAndWhatIsLeftGoesToProse) {
  const std::vector<ColumnWish> wishes{fixed(100), {200, 140, 0, true}, fixed(50)};
  EXPECT_THAT(columnWidths(wishes, 500), ElementsAre(100, 350, 50));
  EXPECT_THAT(columnWidths(wishes, 350), ElementsAre(100, 200, 50));
}

TEST(ColumnWidths, RoomToSpareGoesFirstToNamesThatWouldTakeASecondLine) {
  std::vector<ColumnWish> wishes{fixed(100), fixed(200), {200, 140, 0, true}};
  wishes[0].full = 130, wishes[1].full = 300;
  EXPECT_THAT(columnWidths(wishes, 500), ElementsAre(100, 200, 200));
  EXPECT_THAT(columnWidths(wishes, 560), ElementsAre(130, 230, 200));
  EXPECT_THAT(columnWidths(wishes, 700), ElementsAre(130, 300, 270));
}

TEST(ColumnWidths, WithoutRoomProseGivesWayFirstThenNames) {
  const std::vector<ColumnWish> wishes{fixed(100), {200, 140, 0, true}, {150, 96, 1, false}};
  EXPECT_THAT(columnWidths(wishes, 420), ElementsAre(100, 170, 150));
  EXPECT_THAT(columnWidths(wishes, 370), ElementsAre(100, 140, 130));
}

TEST(ColumnWidths, WhereEvenThatIsTooLittleTheViewScrollsAndNothingIsCut) {
  const std::vector<ColumnWish> wishes{fixed(100), {200, 140, 0, true}, {150, 96, 1, false}};
  EXPECT_THAT(columnWidths(wishes, 335), ElementsAre(100, 200, 150));
}

TEST(ColumnWidths, WhereTheViewScrollsWhatMustBeSeenIsInView) {
  std::vector<ColumnWish> wishes{
      {150, 96, 1, false, 44, false}, fixed(100), {200, 200, 0, false, 120, false}, fixed(110), fixed(90)};
  wishes[3].mustBeSeen = true;
  EXPECT_THAT(columnWidths(wishes, 500), ElementsAre(96, 100, 194, 110, 90));
  EXPECT_THAT(columnWidths(wishes, 400), ElementsAre(70, 100, 120, 110, 90));
  EXPECT_THAT(columnWidths(wishes, 200), ElementsAre(44, 100, 120, 110, 90))
      << "less than this is unreadable";
}

TEST(ColumnWidths, SeveralShareWhatTheyGiveToTheLastPixel) {
  const std::vector<ColumnWish> wishes{{100, 50, 0, false}, {100, 90, 0, false}, {100, 80, 0, false}};
  const std::vector<int> widths = columnWidths(wishes, 255);
  EXPECT_EQ(widths[0] + widths[1] + widths[2], 255);
  EXPECT_GE(widths[0], 50);
  EXPECT_GE(widths[1], 90);
  EXPECT_GE(widths[2], 80);
  EXPECT_TRUE(columnWidths({}, 100).empty());
}

TEST(TextMeasure, IsAtLeastAboutWhatShapingGives) {
  for (const QFont& font : {textFont(13), codeFont(12)}) {
    const TextMeasure measure(font);
    const QFontMetricsF metrics(font);
    for (const char* text :
         {"mismatch", "0.945 – 0.951×", "relu.cpp:10:34", "LDC R1, c[0x0][0x28] ;", "12.4 µs", ""}) {
      const double shaped = metrics.horizontalAdvance(QString::fromUtf8(text));
      EXPECT_NEAR(measure.width(text), shaped, 3) << text;
    }
    EXPECT_LT(measure.width("one\ntwo three four five six"), measure.width("one two three four"));
  }
}

TEST(TextMeasure, NamesAreBrokenBetweenTheirWords) {
  const TextMeasure measure(textFont(11));
  const auto halves = [&measure](std::string text) { return text.insert(measure.halve(text).second, "|"); };
  EXPECT_EQ(halves("Sectors per load request"), "Sectors per |load request");
  EXPECT_EQ(halves("vectorized_elementwise_kernel"), "vectorized_|elementwise_kernel");
  EXPECT_EQ(halves("f32[4096, 4096]"), "f32[4096, |4096]");
  EXPECT_EQ(halves(""), "|");
  const std::size_t middle = halves("a softmaxkernelwithoutanywordsinit").find('|');
  EXPECT_GT(middle, 10U) << "a word that is too long is broken itself";
  EXPECT_LT(middle, 24U);
  EXPECT_EQ(halves("µµµµ"), "µµ|µµ") << "letters stay whole";
}

TEST(TextMeasure, HalfANameIsAsWideAsItsWiderLine) {
  const TextMeasure measure(textFont(11));
  for (const std::string text :
       {"Sectors per load request", "vectorized_elementwise_kernel", "one", "µs, ms"}) {
    const TextMeasure::Halves halves = measure.halve(text);
    std::string first = text.substr(0, halves.second);
    if (first.ends_with(' ')) first.pop_back();
    EXPECT_NEAR(halves.width, std::max(measure.width(first), measure.width(text.substr(halves.second))), 1)
        << text;
  }
}

}  // namespace
}  // namespace wb
