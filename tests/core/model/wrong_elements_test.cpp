// SPDX-License-Identifier: Apache-2.0
#include "core/model/wrong_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wb {
namespace {

TEST(WrongElements, ALetterDoublesTheOneBefore) {
  EXPECT_EQ(mapLetter(0.5), 'a') << "wrong by another rule than the tolerance";
  EXPECT_EQ(mapLetter(1), 'a');
  EXPECT_EQ(mapLetter(1.99), 'a');
  EXPECT_EQ(mapLetter(2), 'b');
  EXPECT_EQ(mapLetter(1000), 'j');
  EXPECT_EQ(mapLetter(1e300), 'y');
  EXPECT_EQ(mapLetter(NAN), 'z');
  EXPECT_EQ(mapLetter(INFINITY), 'z');
  for (char letter = 'a'; letter <= 'y'; ++letter) EXPECT_EQ(mapLetter(leastExcess(letter)), letter);
  EXPECT_EQ(leastExcess('.'), 0);
  EXPECT_EQ(leastExcess('z'), std::numeric_limits<double>::infinity());
}

TEST(WrongElements, AMapIsAsFineAsItsLimitsAllow) {
  using Shape = std::vector<std::int64_t>;
  EXPECT_EQ(mapCells({}), Shape{});
  EXPECT_EQ(mapCells({5, 0}), (Shape{5, 0}));
  EXPECT_EQ(mapCells({17, 33}), (Shape{17, 33}));
  EXPECT_EQ(mapCells({1000}), Shape{1000}) << "one dimension is drawn in rows";
  EXPECT_EQ(mapCells({1 << 17}), Shape{1 << 14}) << "eight elements a cell";
  EXPECT_EQ(mapCells({2048, 2048}), (Shape{128, 128}));
  EXPECT_EQ(mapCells({4, 128, 128}), (Shape{4, 128, 128}));
  EXPECT_EQ(mapCells({64, 128, 128}), (Shape{4, 128, 128})) << "what chooses the slice gives way first";
  EXPECT_EQ(mapCells({2, 2, 2, 1000000, 1000000}), (Shape{1, 2, 2, 128, 128}));
  for (const Shape& shape : {Shape{129, 7}, Shape{1000, 999, 3}, Shape{131, 131, 131, 131}}) {
    const Shape cells = mapCells(shape);
    std::int64_t volume = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      volume *= cells[d];
      const std::int64_t block = (shape[d] + cells[d] - 1) / cells[d];
      EXPECT_EQ((shape[d] + block - 1) / block, cells[d]) << "every cell has elements";
    }
    EXPECT_LE(volume, std::int64_t(WrongElements::mostCells));
  }
}

TEST(WrongElements, WhatDoesNotFitIsFound) {
  const WrongElements sound{0, {3, 2}, {3, 2}, "..a...", {{2, "1", "2", "", 1, true}}};
  EXPECT_TRUE(isSound(sound));
  const auto with = [&](auto change) {
    WrongElements other = sound;
    change(other);
    return isSound(other);
  };
  EXPECT_FALSE(with([](WrongElements& w) { w.map += "."; }));
  EXPECT_FALSE(with([](WrongElements& w) { w.cells = {6}; }));
  EXPECT_FALSE(with([](WrongElements& w) { w.cells = {2, 3}; })) << "more cells than elements";
  EXPECT_FALSE(with([](WrongElements& w) { w.cells = {0, 2}; }));
  EXPECT_FALSE(with([](WrongElements& w) { w.shape = {3, -2}; }));
  EXPECT_FALSE(with([](WrongElements& w) { w.elements[0].at = 6; }));
  EXPECT_FALSE(with([](WrongElements& w) { w.elements.resize(257); }));
  EXPECT_FALSE(with([](WrongElements& w) {
    w.shape = w.cells = {1 << 17};
    w.map.assign(1 << 17, '.');
  })) << "larger than a map may be";
}

TEST(WrongElements, PlacesAreRowMajor) {
  EXPECT_EQ(placeText(7, {4, 3}), "[2, 1]");
  EXPECT_EQ(placeText(0, {}), "[]");
}

}  // namespace
}  // namespace wb
