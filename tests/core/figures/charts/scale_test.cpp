// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/figures/charts/scale.h"

namespace wb {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::Not;

Bar bar(double value, double low, double high) {
  Bar made;
  made.value = value;
  made.low = low;
  made.high = high;
  return made;
}

std::vector<std::string> texts(const Scale& scale, std::string_view unit, int most) {
  std::vector<std::string> all;
  for (const Tick& tick : ticksOf(scale, unit, most)) all.push_back(tick.text);
  return all;
}

TEST(Scale, OneWideIntervalDoesNotFlattenTheOthers) {
  BarChart chart;
  chart.bars = {bar(0.97, 0.96, 0.98), bar(1.02, 0.00000376, 4'978'717), bar(1.04, 1.02, 1.06),
                bar(1.01, 1.00, 1.02)};
  const Scale scale = scaleOf(chart);
  EXPECT_GT(scale.low, 0.88);
  EXPECT_LT(scale.high, 1.15);
  EXPECT_EQ(clipped(chart.bars[1].low, chart.bars[1].high, scale), (Clipped{true, true}));
  EXPECT_EQ(clipped(chart.bars[0].low, chart.bars[0].high, scale), (Clipped{false, false}));
}

TEST(Scale, AWideIntervalAloneDoesNotEither) {
  BarChart chart;
  chart.bars = {bar(1.02, 0.000004, 5'000'000)};
  const Scale scale = scaleOf(chart);
  EXPECT_GT(scale.low, 0.8);
  EXPECT_LT(scale.high, 1.25);
  chart.bars = {bar(1.02, 0.404, 3.49)};  // this one still says something
  EXPECT_LT(scaleOf(chart).low, 0.404);
  EXPECT_GT(scaleOf(chart).high, 3.49);
}

TEST(Scale, HoldsEveryValueAndTheBaseAndUsualIntervals) {
  BarChart chart;
  chart.bars = {bar(0.2, 0.19, 0.21), bar(30, 28, 33)};
  const Scale scale = scaleOf(chart);
  for (const double value : {0.19, 1.0, 33.0}) {
    EXPECT_GT(scale.at(value), 0) << value;
    EXPECT_LT(scale.at(value), 1) << value;
  }
}

TEST(Scale, SmallDifferencesAreNotBlownUp) {
  BarChart chart;
  chart.bars = {bar(1.001, 1.0009, 1.0011)};
  EXPECT_GE(scaleOf(chart).high / scaleOf(chart).low, 1.1);
}

TEST(Scale, TakesWhatIsNoNumberAsNothing) {
  BarChart chart;
  chart.bars = {bar(std::nan(""), 0, 0), bar(INFINITY, 1, INFINITY), bar(2, 0, 0)};
  const Scale scale = scaleOf(chart);
  EXPECT_GT(scale.high, 2);
  EXPECT_LT(scale.high, 2.5);
  chart.bars.clear();
  EXPECT_LT(scaleOf(chart).low, 1);
  EXPECT_GT(scaleOf(chart).high, 1);
}

TEST(Scale, PlacesAreInvertible) {
  for (const Scale& scale : {Scale{0.5, 8, true}, Scale{-3, 5, false}})
    for (const double share : {0.0, 0.3, 1.0}) EXPECT_NEAR(scale.at(scale.valueAt(share)), share, 1e-12);
}

TEST(Scale, SharesBeginAtTheirBase) {
  BarChart chart;
  chart.linear = true;
  chart.base = 0;
  chart.bars = {bar(0.6, 0.6, 0.6)};
  EXPECT_EQ(scaleOf(chart).low, 0);
  EXPECT_FALSE(scaleOf(chart).logarithmic);
  EXPECT_GT(scaleOf(chart).high, 0.6);
}

TEST(Ticks, AroundOneAreRoundStepsAndOneIsAlwaysMarked) {
  EXPECT_THAT(texts({0.87, 1.07, true}, "×", 6), ElementsAre("0.90×", "0.95×", "1.00×", "1.05×"));
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {0.95, 1.05}, {0.999, 1.001}, {0.5, 2}, {0.3, 9}, {0.01, 40}, {1e-6, 1e6}, {1e-5, 3}, {0.9, 700}})
    for (const int most : {2, 4, 6, 9})
      EXPECT_THAT(ticksOf({low, high, true}, "×", most), Contains(Field(&Tick::value, 1.0)))
          << low << " " << high << " " << most;
}

TEST(Ticks, AreNeverMoreThanFitAndNeverAlone) {
  for (double high = 1.1; high < 1e9; high *= 1.7)
    for (const int most : {3, 6, 10}) {
      const auto ticks = ticksOf({1 / high, high, true}, "×", most);
      EXPECT_LE(ticks.size(), static_cast<std::size_t>(most) + 1) << high;
      EXPECT_GE(ticks.size(), 2U) << high << " " << most;
    }
}

TEST(Ticks, StandWhereTheirTextsSay) {
  for (const Tick& tick : ticksOf({0.02, 90, true}, "×", 8))
    EXPECT_NEAR(std::stod(tick.text), tick.value, tick.value * 1e-6) << tick.text;
  for (const Tick& tick : ticksOf({0.9993, 1.0004, true}, "×", 8))
    EXPECT_NEAR(std::stod(tick.text), tick.value, 1e-9) << tick.text;
}

TEST(Ticks, NeighboursAreToldApart) {
  for (const Scale& scale : {Scale{12.001e-6, 12.004e-6, false}, Scale{0.99995, 1.00012, true}}) {
    const auto ticks = ticksOf(scale, scale.logarithmic ? "×" : "s", 6);
    ASSERT_GE(ticks.size(), 2U);
    for (std::size_t i = 1; i < ticks.size(); ++i) EXPECT_NE(ticks[i - 1].text, ticks[i].text);
  }
}

TEST(Ticks, HaveTheirUnit) {
  EXPECT_THAT(texts({0, 1, false}, "%", 5), ElementsAre("0 %", "20 %", "40 %", "60 %", "80 %", "100 %"));
  EXPECT_THAT(texts({1e12, 1e14, true}, "FLOP/s", 3), ElementsAre("1 TFLOP/s", "10 TFLOP/s", "100 TFLOP/s"));
  EXPECT_THAT(texts({4096, 64 << 20, true}, "B", 8),
              ElementsAre("4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB", "4 MiB", "16 MiB", "64 MiB"));
  EXPECT_THAT(texts({10e-6, 10.4e-6, false}, "s", 4),
              ElementsAre("10.0 µs", "10.1 µs", "10.2 µs", "10.3 µs", "10.4 µs"));
  EXPECT_THAT(texts({0, 40, false}, "", 4), ElementsAre("0", "10", "20", "30", "40"));
}

TEST(Ticks, OfNonsenseAreNone) {
  EXPECT_TRUE(ticksOf({0, 1, true}, "×", 5).empty());
  EXPECT_TRUE(ticksOf({2, 2, false}, "s", 5).empty());
  EXPECT_TRUE(ticksOf({std::nan(""), 1, false}, "s", 5).empty());
}

TEST(Ticks, StepsAreRound) {
  EXPECT_DOUBLE_EQ(roundStep(1, 5), 0.2);
  EXPECT_DOUBLE_EQ(roundStep(0.83e-6, 6), 0.2e-6);
  EXPECT_DOUBLE_EQ(roundStep(7, 5), 2);
  EXPECT_DOUBLE_EQ(roundStep(0, 5), 1);
}

TEST(Ticks, LoseTheZerosThatOnlySayHowExactTheyAre) {
  EXPECT_EQ(withoutZeros("1.00×"), "1×");
  EXPECT_EQ(withoutZeros("0.500 µs"), "0.5 µs");
  EXPECT_EQ(withoutZeros("100 TFLOP/s"), "100 TFLOP/s");
  EXPECT_EQ(withoutZeros("1.20 TB/s"), "1.2 TB/s");
  EXPECT_EQ(withoutZeros("0 %"), "0 %");
}

TEST(Scale, PlanesFollowTheSameRule) {
  PlaneChart chart;
  chart.y.unit = "×";
  chart.points = {{.x = 1, .y = 1.02, .low = 1e-5, .high = 1e5},
                  {.x = 100, .y = 0.98, .low = 0.97, .high = 0.99}};
  const auto [x, y] = scalesOf(chart);
  EXPECT_LT(x.low, 1);
  EXPECT_GT(x.high, 100);
  EXPECT_GT(y.low, 0.8);
  EXPECT_LT(y.high, 1.25);
  chart.points[0].x = 0;  // what cannot be on a logarithmic axis takes nothing with it
  EXPECT_GT(scalesOf(chart).first.low, 0);
}

TEST(Scale, ZoomsAroundAPlaceAndStaysWithinTheWhole) {
  const Scale home{0, 100, false};
  const Scale half = zoomed(home, home, 0.5, 0.5, 0.01);
  EXPECT_DOUBLE_EQ(half.low, 25);
  EXPECT_DOUBLE_EQ(half.high, 75);
  EXPECT_EQ(zoomed(home, home, 0.5, 0, 0.01), (Scale{0, 50, false}))
      << "what is pointed at stays where it is";
  EXPECT_EQ(zoomed(half, home, 4, 0.5, 0.01), home);
  const Scale closest = zoomed(home, home, 1e-9, 1, 0.01);
  EXPECT_DOUBLE_EQ(closest.low, 99);
  EXPECT_DOUBLE_EQ(closest.high, 100);
  const Scale decades{1, 10000, true};
  const Scale middle = zoomed(decades, decades, 0.5, 0.5, 0.01);
  EXPECT_NEAR(middle.low, 10, 1e-9);
  EXPECT_NEAR(middle.high, 1000, 1e-9);
}

TEST(Scale, MovesByAShareOfWhatIsSeenAndStopsAtTheEnds) {
  const Scale home{0, 100, false}, seen{20, 40, false};
  EXPECT_NEAR(moved(seen, home, 0.5).low, 30, 1e-9);
  EXPECT_NEAR(moved(seen, home, 0.5).high, 50, 1e-9);
  EXPECT_NEAR(moved(seen, home, 100).high, 100, 1e-9);
  EXPECT_NEAR(moved(seen, home, 100).low, 80, 1e-9);
  EXPECT_NEAR(moved(seen, home, -100).low, 0, 1e-9);
  EXPECT_EQ(moved(home, home, 0.5), home);
}

}  // namespace
}  // namespace wb
