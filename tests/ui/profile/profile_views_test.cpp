// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a profile by themselves, and what they are made of.
#include <QApplication>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>
#include <cstdio>

#include <gtest/gtest.h>

#include "tests/core/model/steps.h"
#include "ui/charts/axis_text.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/plane_view.h"
#include "ui/profile/timeline_view.h"

namespace wb {
namespace {

TEST(AxisText, LosesTheZerosThatOnlySayHowExactItIs) {
  EXPECT_EQ(axisText("1.00×").toStdString(), "1×");
  EXPECT_EQ(axisText("0.500 µs").toStdString(), "0.5 µs");
  EXPECT_EQ(axisText("100 TFLOP/s").toStdString(), "100 TFLOP/s");
  EXPECT_EQ(axisText("1.20 TB/s").toStdString(), "1.2 TB/s");
  EXPECT_EQ(axisText("0 %").toStdString(), "0 %");
}

TEST(AxisText, StepsAreRound) {
  EXPECT_DOUBLE_EQ(roundStep(1, 5), 0.2);
  EXPECT_DOUBLE_EQ(roundStep(0.83e-6, 6), 0.2e-6);
  EXPECT_DOUBLE_EQ(roundStep(7, 5), 2);
  EXPECT_DOUBLE_EQ(roundStep(0, 5), 1);
}

TimeChart twoLanes() {
  TimeChart chart;
  chart.lanes = {{"candidate · host", {{"launch", 0, 4e-6, "launch\n4 µs", Tone::muted}}},
                 {"candidate · stream 7", {{"relu", 5e-6, 15e-6, "relu\n15 µs", Tone::good}}}};
  return chart;
}

class TimelineTest : public testing::Test {
 protected:
  void SetUp() override {
    view_.resize(700, 160);
    view_.setChart(twoLanes());
    view_.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
  }
  TimelineView view_;
};

TEST_F(TimelineTest, BeginsWithEverythingInSight) {
  EXPECT_EQ(view_.from(), 0);
  EXPECT_GT(view_.to(), 20e-6);
  EXPECT_LT(view_.to(), 22e-6);
  EXPECT_GT(view_.spanRect(1, 0).left(), view_.spanRect(0, 0).right());
}

TEST_F(TimelineTest, TheWheelZoomsAtThePointer) {
  const QRectF before = view_.spanRect(1, 0);
  const QPointF at(before.center().x(), 90);
  const double width = view_.to() - view_.from();
  QWheelEvent wheel(at, view_.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(&view_, &wheel);
  EXPECT_LT(view_.to() - view_.from(), width);
  EXPECT_NEAR(view_.spanRect(1, 0).center().x(), at.x(), 1);
}

TEST_F(TimelineTest, DraggingMovesAndADoubleClickFits) {
  const QPoint at = view_.spanRect(1, 0).center().toPoint();
  QTest::mouseDClick(&view_, Qt::LeftButton, {}, at);
  EXPECT_LT(view_.to() - view_.from(), 20e-6);
  EXPECT_NEAR(view_.from(), 5e-6 - 0.15 * 15e-6, 1e-9);
  const double from = view_.from();
  QTest::mousePress(&view_, Qt::LeftButton, {}, {400, 90});
  QTest::mouseMove(&view_, {300, 90});
  QTest::mouseRelease(&view_, Qt::LeftButton, {}, {300, 90});
  EXPECT_GT(view_.from(), from);
  QTest::mouseDClick(&view_, Qt::LeftButton, {}, {view_.width() - 20, 45});  // beside all spans
  EXPECT_EQ(view_.from(), 0);
}

TEST_F(TimelineTest, TheKeyboardDoesTheSame) {
  const double width = view_.to() - view_.from();
  QTest::keyClick(&view_, Qt::Key_Plus);
  EXPECT_LT(view_.to() - view_.from(), width);
  const double from = view_.from();
  QTest::keyClick(&view_, Qt::Key_Right);
  EXPECT_GT(view_.from(), from);
  QTest::keyClick(&view_, Qt::Key_0);
  EXPECT_EQ(view_.from(), 0);
  EXPECT_NEAR(view_.to() - view_.from(), width, 1e-12);
}

TEST_F(TimelineTest, NothingIsLostByZoomingFarInAndOut) {
  for (int i = 0; i < 200; ++i) QTest::keyClick(&view_, Qt::Key_Plus);
  EXPECT_GT(view_.to(), view_.from());
  for (int i = 0; i < 400; ++i) QTest::keyClick(&view_, Qt::Key_Minus);
  EXPECT_LE(view_.to() - view_.from(), 30e-6);
  view_.setChart({});
  view_.grab();
}

TEST(PlaneViewTest, PointsLieWhereTheirNumbersAre) {
  PlaneView view;
  view.resize(600, 400);
  PlaneChart plane;
  plane.yAxis = "FLOP/s";
  plane.lines = {{"DRAM 3.02 TB/s", {{0.1, 0.3e12}, {100, 302e12}}, false}};
  plane.points = {{1, 1e12, "candidate", "candidate\n1 TFLOP/s", Tone::good},
                  {10, 1e13, "reference", "reference", Tone::muted}};
  view.setPlane(plane);
  view.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
  view.grab();
  EXPECT_LT(view.pointAt(0).x(), view.pointAt(1).x());
  EXPECT_GT(view.pointAt(0).y(), view.pointAt(1).y());
  EXPECT_TRUE(view.rect().contains(view.pointAt(1)));
  plane.points[0].x = 0;  // what cannot be on a logarithmic axis takes nothing with it
  view.setPlane(plane);
  view.grab();
}

TEST(StallBars, GrowFromTheLeftOnAPlainAxisAndTheSpeedupsAxisIsLogarithmicAgain) {
  ChartView view;
  view.resize(600, 200);
  BarChart shares;
  shares.linear = true;
  shares.base = 0;
  shares.bars = {{"long scoreboard", 0.6, 0.6, 0.6, "60 %", Tone::neutral, "a"},
                 {"barrier", 0.3, 0.3, 0.3, "30 %", Tone::neutral, "a"}};
  view.setBars(shares);
  view.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
  view.grab();
  EXPECT_NEAR(view.barRect(0).width(), 2 * view.barRect(1).width(), 3);
  EXPECT_EQ(view.barRect(0).left(), view.barRect(1).left());
  BarChart ratios;
  ratios.bars = {{"a", 2, 1.9, 2.1, "2×", Tone::good, "a"}, {"b", 4, 3.9, 4.1, "4×", Tone::good, "b"}};
  view.setBars(ratios);
  view.grab();
  EXPECT_NEAR(view.barRect(1).width(), 2 * view.barRect(0).width(), 3);
}

}  // namespace
}  // namespace wb
