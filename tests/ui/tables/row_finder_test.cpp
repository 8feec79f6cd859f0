// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/row_finder.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wb {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Table> words(const std::vector<std::pair<std::string, double>>& rows) {
  auto made = std::make_shared<Table>();
  made->columns = {{.key = "name", .title = "Name"}, {.key = "n", .title = "N", .kind = ColumnKind::number}};
  for (const auto& [text, number] : rows)
    made->rows.push_back(
        {text, {Cell{text}, std::isnan(number) ? Cell{} : Cell{std::to_string(number), number}}});
  return made;
}

TEST(RowFinder, SortsTextWithoutCaseAndNumbersByValueInAStableWay) {
  const RowFinder finder(words({{"b", 2}, {"A", 10}, {"a", NAN}, {"B", 2}, {"c", -1}}));
  EXPECT_THAT(finder.rows({.column = 0}), ElementsAre(1, 2, 0, 3, 4));
  EXPECT_THAT(finder.rows({.column = 0, .descending = true}), ElementsAre(4, 0, 3, 1, 2));
  EXPECT_THAT(finder.rows({.column = 1}), ElementsAre(4, 0, 3, 1, 2));
  EXPECT_THAT(finder.rows({.column = 1, .descending = true}), ElementsAre(1, 0, 3, 4, 2));  // NaN stays last
  EXPECT_THAT(finder.rows({.column = 7}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(RowFinder, AWordMustStandInOneCellAndNotAcrossTwo) {
  const RowFinder finder(words({{"Relu", 12}, {"gelu", 3}}));
  EXPECT_THAT(finder.rows({.words = {"relu"}}), ElementsAre(0));
  EXPECT_THAT(finder.rows({.words = {"elu", "3."}}), ElementsAre(1));
  EXPECT_TRUE(finder.rows({.words = {"relu1"}}).empty());
}

TEST(RowFinder, AnEmptyTableHasNothingToFind) {
  const RowFinder finder(std::make_shared<const Table>());
  EXPECT_TRUE(finder.rows({.words = {"x"}, .set = 3, .column = 2}).empty());
  EXPECT_EQ(finder.counts(true), RowCounts{});
}

}  // namespace
}  // namespace wb
