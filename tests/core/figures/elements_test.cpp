// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/base/quantity.h"
#include "core/figures/cases/cell_map.h"
#include "core/figures/cases/details.h"
#include "core/figures/figures.h"
#include "core/figures/text/report_text.h"
#include "core/figures/text/text.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(CellMap, AMapOfOneDimensionIsBrokenIntoRows) {
  const CellMap map{.shape = {300}, .cells = {300}, .letters = std::string(299, '.') + "b"};
  const MapSlice slice = sliceOf(map);
  EXPECT_EQ(slice.rows, 3);
  EXPECT_EQ(slice.columns, 128);
  EXPECT_EQ(slice.at(2, 43), 'b');
  EXPECT_EQ(slice.at(2, 44), ' ') << "there is no such element";
  EXPECT_EQ(cellText(map, {}, 2, 43), "[299]: off by 2 to 4 times the tolerance");
  EXPECT_EQ(cellText(map, {}, 2, 44), "");
  const CellMap scalar{.letters = "z"};
  EXPECT_EQ(sliceOf(scalar), (MapSlice{1, 1, "z"}));
  EXPECT_THAT(cellText(scalar, {}, 0, 0), HasSubstr("[]: one of the two is no number"));
}

TEST(CellMap, ASliceIsChosenByTheDimensionsBeforeTheLastTwo) {
  const CellMap map{.shape = {2, 3, 2, 4},
                    .cells = {2, 3, 2, 2},
                    .letters =
                        "a..."
                        "...."
                        "..b."
                        "...."
                        ".c.."
                        "...z"};
  EXPECT_EQ(sliceDimensions(map), 2U);
  EXPECT_EQ(sliceOf(map).letters, "acbz") << "the worst of all";
  EXPECT_EQ(sliceOf(map, {0, 2}).letters, "..b.");
  EXPECT_EQ(sliceOf(map, {1, -1}).letters, ".c.z");
  EXPECT_EQ(sliceOf(map, {-1, 1}).letters, ".c..");
  EXPECT_EQ(cellText(map, {1, 2}, 1, 1),
            "[1, 2, 1, 2…3]: one of the two is no number, or nothing is tolerated");
  EXPECT_EQ(cellText(map, {}, 0, 0), "[any, any, 0, 0…1]: off by 1 to 2 times the tolerance");
  EXPECT_EQ(cellText(map, {0, 0}, 1, 1), "[0, 0, 1, 2…3]: right, or within the tolerance");
}

TEST(CellMap, ASmallerPictureKeepsTheWorst) {
  const MapSlice slice{3, 4,
                       "a..."
                       "..c."
                       ".b.."};
  EXPECT_EQ(reduced(slice, 2, 2), (MapSlice{2, 2,
                                            "ac"
                                            "b."}));
  EXPECT_EQ(reduced(slice, 100, 100), slice);
}

TEST(ElementsFigure, ShowsTheElementsOfOneCaseOrOfAll) {
  const Report report = samples::mixedFailures();
  const std::vector<CaseKey> keys = casesWithElements(report);
  ASSERT_FALSE(keys.empty());
  const Table one = elementsTable(report, keys[0]);
  ASSERT_EQ(one.rows.size(), 3U);
  EXPECT_EQ(one.rows[0].cells[0].text, "[3, 17]");
  EXPECT_EQ(one.rows[0].cells[1].text, "0.5");
  EXPECT_EQ(one.rows[0].cells[2].text, "0.75");
  EXPECT_EQ(one.rows[0].cells[2].tone, Tone::bad);
  const Table all = elementsTable(report);
  EXPECT_EQ(all.columns.size(), one.columns.size() + 1) << "which case";
  EXPECT_EQ(all.rows.size(), 3 * keys.size());
  EXPECT_THAT(elementsTable(report, CaseKey{0, 999}).rows, IsEmpty());
  EXPECT_NE(elementsTable(samples::allPass()).empty, "");
  EXPECT_NE(errorMaps(samples::allPass()).empty, "");
}

TEST(ElementsFigure, SaysInWordsWhereTheErrorsLie) {
  const Report report = samples::mixedFailures();
  const CellMaps maps = errorMaps(report, casesWithElements(report).at(0));
  ASSERT_EQ(maps.maps.size(), 1U);
  EXPECT_EQ(maps.maps[0].words, "3 of " + formatCount(1048576) + " elements are wrong: column 17.");
  const std::string text = toText(maps);
  EXPECT_THAT(text, HasSubstr("\n·▓··")) << "eight rows and two columns of cells in one: " << text;
}

TEST(ElementsFigure, TheTerminalShowsTheFirstFailingCasesAndHowToRunOneAlone) {
  const std::string text = reportText(samples::mixedFailures(), {});
  EXPECT_THAT(text, HasSubstr("are wrong: column 17."));
  EXPECT_THAT(text, HasSubstr("Expected"));
  EXPECT_THAT(text, HasSubstr("To run only this case: --only '"));
  EXPECT_THAT(reportText(samples::allPass(), {}), Not(HasSubstr("--only")));
}

TEST(Problems, AFailingCaseLeadsToItsKernelAndNeverToItsSuite) {
  const Report report = samples::mixedFailures();
  int cases = 0;
  for (const Table::Row& row : problemsTable(report).rows) {
    const std::optional<Details> details = detailsOf(report, row.id);
    if (!details || !details->failing) continue;
    ++cases;
    EXPECT_EQ(row.place.file, report.kernels[0]->source.path);
    EXPECT_EQ(details->origin.file, "smoke.txt") << "which is a link beside it";
  }
  EXPECT_GT(cases, 1);
}

}  // namespace
}  // namespace wb
