// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/bad_places.h"

#include <gtest/gtest.h>

#include <functional>

namespace wb {
namespace {

using Shape = std::vector<std::int64_t>;

/// Words for the places of a shape where `wrong` says so.
std::string cluster(const Shape& shape, const std::function<bool(const Shape&)>& wrong) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  BadPlaces bad;
  for (std::int64_t i = 0; i < elements; ++i) {
    Shape index(shape.size());
    std::int64_t rest = i;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    if (wrong(index)) bad.add(i);
  }
  return clusterText(bad, shape);
}

TEST(Cluster, NamesATailOfADimension) {
  EXPECT_EQ(cluster({8, 100}, [](const Shape& i) { return i[1] >= 96; }),
            "the last 4 columns: a tail that is not handled");
  EXPECT_EQ(cluster({130}, [](const Shape& i) { return i[0] >= 128; }),
            "the last 2 elements: a tail that is not handled");
  EXPECT_EQ(cluster({5, 20}, [](const Shape& i) { return i[0] * 20 + i[1] >= 75; }), "the last 25 elements")
      << "of the flat output, in the middle of a row or not";
}

TEST(Cluster, NamesRowsAndTiles) {
  EXPECT_EQ(cluster({128, 64}, [](const Shape& i) { return i[0] >= 96 && i[0] < 112; }), "rows 96…111");
  EXPECT_EQ(cluster({128, 64}, [](const Shape& i) { return i[0] / 32 == 1 && i[1] / 16 == 2; }),
            "rows 32…63 and columns 32…47");
  EXPECT_EQ(cluster({64, 64}, [](const Shape& i) { return i[1] == 5; }), "column 5");
  EXPECT_EQ(cluster({64, 64}, [](const Shape& i) { return i[0] < 2 && i[1] % 3 == 1; }), "the first 2 rows");
}

TEST(Cluster, NamesABlockAndALeftOver) {
  EXPECT_EQ(cluster({1024}, [](const Shape& i) { return i[0] >= 768; }), "the last block of 256 elements");
  EXPECT_EQ(cluster({128, 64}, [](const Shape& i) { return i[1] >= 32; }), "the last block of 32 columns");
  EXPECT_EQ(cluster({1027}, [](const Shape& i) { return i[0] >= 1024; }),
            "the last 3 elements: a tail that is not handled");
  EXPECT_EQ(cluster({2, 8, 99}, [](const Shape& i) { return i[2] >= 96; }),
            "the last 3 of dimension 2: a tail that is not handled");
  EXPECT_EQ(cluster({100}, [](const Shape& i) { return i[0] >= 75; }), "the last 25 elements")
      << "no usual block leaves 25 of 100";
}

TEST(Cluster, NamesARhythm) {
  EXPECT_EQ(cluster({1000}, [](const Shape& i) { return i[0] % 4 == 3; }), "every 4th element, from 3");
  EXPECT_EQ(cluster({50, 33}, [](const Shape& i) { return i[1] % 2 == 0; }), "every 2nd column, from 0");
}

TEST(Cluster, SaysNothingOfPlacesWithoutOne) {
  EXPECT_EQ(
      cluster({40, 40}, [](const Shape& i) { return (i[0] * 31 + i[1] * 17) % 7 == 3 || i[0] == i[1]; }), "");
  EXPECT_EQ(cluster({1000}, [](const Shape& i) { return i[0] == 17; }), "");
  EXPECT_EQ(cluster({1000}, [](const Shape& i) { return i[0] == 17 || i[0] == 450; }), "");
  EXPECT_EQ(cluster({30, 30}, [](const Shape&) { return true; }), "everywhere");
  EXPECT_EQ(cluster({10}, [](const Shape&) { return false; }), "");
}

TEST(Cluster, StaysSmallAndRightForMillionsOfPlaces) {
  BadPlaces bad;
  for (std::int64_t i = 0; i < 5'000'000; ++i) bad.add(i + 1'000'000);
  EXPECT_EQ(bad.count(), 5'000'000);
  EXPECT_LT(bad.places().size(), BadPlaces::most);
  EXPECT_EQ(bad.places()[0], 1'000'000);
  EXPECT_EQ(clusterText(bad, {6'000'000}), "the last 5000000 elements");
  EXPECT_EQ(clusterText(bad, {6, 1'000'000}), "the last 5 rows");
}

}  // namespace
}  // namespace wb
