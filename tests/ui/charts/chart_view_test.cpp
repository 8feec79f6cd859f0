// SPDX-License-Identifier: GPL-3.0-or-later
// The one view of all charts, by itself.
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFontMetricsF>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include "ui/charts/bar_drawing.h"
#include "ui/charts/chart_actions.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/plane_drawing.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

BarChart bars(int count) {
  BarChart chart;
  chart.title = "Speedup by case";
  for (int i = 0; i < count; ++i) {
    const double value = 0.8 + 0.05 * (i % 9);
    chart.bars.push_back({"relu " + std::to_string(64 << (i % 5)) + "×1024 f32", value, value * 0.98,
                          value * 1.02, "0.95×", Tone::neutral, "0/" + std::to_string(i)});
  }
  return chart;
}

TimeChart twoLanes() {
  TimeChart chart;
  chart.lanes = {{"candidate · host", {{"launch", 0, 4e-6, "launch\n4 µs", Tone::muted}}},
                 {"candidate · stream 7", {{"relu", 5e-6, 15e-6, "relu\n15 µs", Tone::good}}}};
  return chart;
}

class ChartViewTest : public testing::Test {
 protected:
  void show(Figure figure, QSize size = {700, 300}) {
    view_.resize(size);
    view_.setFigure(std::make_shared<const Figure>(std::move(figure)));
    view_.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
    view_.grab();
  }
  void turn(QPointF at, int by, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent wheel(at, view_.mapToGlobal(at), {}, {0, by}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(view_.viewport(), &wheel);
  }
  ChartView view_;
};

TEST_F(ChartViewTest, BarsGrowFromTheirBaseToBothSides) {
  BarChart chart;
  chart.bars = {{"fast", 2, 1.9, 2.1, "2×", Tone::good, "a"},
                {"faster", 4, 3.9, 4.1, "4×", Tone::good, "b"},
                {"slow", 0.5, 0.49, 0.51, "0.5×", Tone::bad, "c"}};
  show(chart);
  EXPECT_EQ(view_.markRect(0).left(), view_.markRect(1).left());
  EXPECT_NEAR(view_.markRect(1).width(), 2 * view_.markRect(0).width(), 3);
  EXPECT_NEAR(view_.markRect(2).right(), view_.markRect(0).left(), 2);
}

TEST_F(ChartViewTest, OneNoisyCaseLeavesTheOthersTheirLength) {
  BarChart chart;
  chart.bars = {{"a", 1.10, 1.09, 1.11, "1.10×", Tone::good, "a"},
                {"b", 0.92, 0.91, 0.93, "0.92×", Tone::bad, "b"}};
  show(chart);
  const int before = view_.markRect(0).width();
  chart.bars.push_back({"noisy", 1.02, 0.000004, 5e6, "1.02×, too noisy", Tone::neutral, "c"});
  view_.setFigure(std::make_shared<const Figure>(chart));
  view_.grab();
  EXPECT_GT(view_.markRect(0).width(), before / 2);
}

TEST_F(ChartViewTest, RowsScrollBelowAnAxisThatStays) {
  show(bars(60), {700, 300});
  ASSERT_TRUE(view_.rowScroll().isVisible());
  const QImage before = view_.grab().toImage();
  turn({300, 150}, -360);
  EXPECT_GT(view_.rowScroll().value(), 0);
  EXPECT_LT(view_.markRect(0).bottom(), 20);
  const QImage after = view_.grab().toImage();
  const double scale = before.devicePixelRatio();
  const QRect axis(0, 0, int(600 * scale), int(22 * scale));
  EXPECT_EQ(before.copy(axis), after.copy(axis)) << "the axis is the same";
  EXPECT_NE(before, after);
  EXPECT_FALSE(view_.isZoomed()) << "the wheel scrolls where there is something to scroll";
  turn({300, 150}, 240, Qt::ControlModifier);
  EXPECT_TRUE(view_.isZoomed());
}

TEST_F(ChartViewTest, TheLongestNameAndValueHaveTheirWholeWidth) {
  BarChart chart = bars(3);
  chart.bars[1].label = "native_layer_norm 4096×4096 f32 transposed and expanded (2)";
  chart.bars[1].text = "1.02×, too noisy";
  const BarDrawing drawing(chart);
  for (const int width : {1200, 700, 480}) {
    const QSizeF size(width, 300);
    const QMarginsF margins = drawing.margins(size);
    const double label =
        QFontMetricsF(textFont(12)).horizontalAdvance(QString::fromStdString(chart.bars[1].label));
    const double value = QFontMetricsF(textFont(12, QFont::DemiBold))
                             .horizontalAdvance(QString::fromStdString(chart.bars[1].text));
    EXPECT_GE(margins.right(), value) << width;
    if (drawing.rowHeight(size) > 30)
      EXPECT_GE(width, label) << "a long name stands above its bar";
    else
      EXPECT_GE(margins.left(), label) << width;
    EXPECT_GT(width - margins.left() - margins.right(), 150) << "there is room for the bars";
  }
}

TEST_F(ChartViewTest, TheWheelZoomsAtThePointerAndADoubleClickShowsAll) {
  show(bars(4));
  const auto share = [&] { return view_.scaleX().at(1.0); };
  const QPointF at(view_.markRect(0).right(), 60);
  const double before = share();
  turn(at, 240);
  EXPECT_TRUE(view_.isZoomed());
  EXPECT_LT(view_.scaleX().high / view_.scaleX().low, 1.6);
  EXPECT_NEAR(share(), before, 0.25);
  QTest::mouseDClick(view_.viewport(), Qt::LeftButton, {}, {view_.width() / 2, 4});
  EXPECT_FALSE(view_.isZoomed());
}

TEST_F(ChartViewTest, TheKeyboardDoesTheSame) {
  show(bars(4));
  QSignalSpy picked(&view_, &ChartView::picked), activated(&view_, &ChartView::activated);
  QTest::keyClick(&view_, Qt::Key_Plus);
  EXPECT_TRUE(view_.isZoomed());
  const Scale zoomed = view_.scaleX();
  QTest::keyClick(&view_, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_NE(view_.scaleX(), zoomed);
  QTest::keyClick(&view_, Qt::Key_0);
  EXPECT_FALSE(view_.isZoomed());
  QTest::keyClick(&view_, Qt::Key_Down);
  QTest::keyClick(&view_, Qt::Key_Down);
  EXPECT_EQ(view_.highlighted(), 1);
  ASSERT_EQ(picked.count(), 2);
  EXPECT_EQ(picked.last().first().toString(), "0/1");
  QTest::keyClick(&view_, Qt::Key_Return);
  ASSERT_EQ(activated.count(), 1);
  EXPECT_EQ(activated.first().first().toString(), "0/1");
}

TEST_F(ChartViewTest, NothingIsLostByZoomingFarInAndOut) {
  for (const Figure& figure : {Figure(bars(4)), Figure(twoLanes())}) {
    show(figure);
    for (int i = 0; i < 200; ++i) QTest::keyClick(&view_, Qt::Key_Plus);
    EXPECT_GT(view_.scaleX().high, view_.scaleX().low);
    view_.grab();
    for (int i = 0; i < 400; ++i) QTest::keyClick(&view_, Qt::Key_Minus);
    EXPECT_FALSE(view_.isZoomed());
  }
  view_.setFigure(std::make_shared<const Figure>(TimeChart{}));
  view_.grab();
}

TEST_F(ChartViewTest, AZoomStaysWhileTheChartGrows) {
  show(bars(4));
  QTest::keyClick(&view_, Qt::Key_Plus);
  const Scale zoomed = view_.scaleX();
  view_.setFigure(std::make_shared<const Figure>(bars(5)));
  EXPECT_EQ(view_.scaleX(), zoomed);
}

TEST_F(ChartViewTest, DraggingMovesWhatIsZoomed) {
  show(bars(4));
  QTest::keyClick(&view_, Qt::Key_Plus);
  const Scale before = view_.scaleX();
  QTest::mousePress(view_.viewport(), Qt::LeftButton, {}, {400, 90});
  QTest::mouseMove(view_.viewport(), {370, 90});
  QTest::mouseMove(view_.viewport(), {340, 90});
  QTest::mouseRelease(view_.viewport(), Qt::LeftButton, {}, {340, 90});
  EXPECT_GT(view_.scaleX().low, before.low);
}

TEST_F(ChartViewTest, AChosenRowIsLitAndOneWithoutAMarkLeavesNoneLit) {
  show(bars(40), {600, 240});
  view_.highlight("0/35");
  EXPECT_EQ(view_.highlighted(), 35);
  EXPECT_TRUE(view_.rect().contains(view_.markRect(35).center())) << "it is scrolled into sight";
  view_.highlight("0/999");
  EXPECT_EQ(view_.highlighted(), -1);
}

TEST_F(ChartViewTest, LanesShowASpanInFullOnADoubleClick) {
  show(twoLanes(), {700, 160});
  EXPECT_EQ(view_.scaleX().low, 0);
  EXPECT_GT(view_.scaleX().high, 20e-6);
  EXPECT_GT(view_.markRect(1).left(), view_.markRect(0).right());
  QTest::mouseDClick(view_.viewport(), Qt::LeftButton, {}, view_.markRect(1).center());
  EXPECT_NEAR(view_.scaleX().low, 5e-6 - 0.15 * 15e-6, 1e-9);
  EXPECT_LT(view_.scaleX().high, 23e-6);
  QTest::mouseDClick(view_.viewport(), Qt::LeftButton, {}, {view_.width() - 30, 50});  // beside all spans
  EXPECT_FALSE(view_.isZoomed());
}

PlaneChart plane() {
  PlaneChart chart;
  chart.title = "Roofline";
  chart.x = {"FLOP per byte", ""};
  chart.y = {"FLOP/s", "FLOP/s"};
  chart.lines = {{"DRAM 3.02 TB/s", {{0.1, 0.3e12}, {100, 302e12}}, false}};
  chart.points = {
      {.x = 1, .y = 1e12, .label = "candidate", .detail = "candidate\n1 TFLOP/s", .tone = Tone::good},
      {.x = 1.02, .y = 1.01e12, .label = "reference", .detail = "reference", .tone = Tone::muted}};
  return chart;
}

TEST_F(ChartViewTest, PointsLieWhereTheirNumbersAre) {
  PlaneChart chart = plane();
  chart.points[1].x = 10, chart.points[1].y = 1e13;
  show(chart, {600, 400});
  EXPECT_LT(view_.markRect(0).center().x(), view_.markRect(1).center().x());
  EXPECT_GT(view_.markRect(0).center().y(), view_.markRect(1).center().y());
  EXPECT_TRUE(view_.rect().contains(view_.markRect(1)));
  chart.points[0].x = 0;  // what cannot be on a logarithmic axis takes nothing with it
  view_.setFigure(std::make_shared<const Figure>(chart));
  view_.grab();
}

TEST_F(ChartViewTest, NamesOfNeighboursCoverNoPoint) {
  // Both points are nearly one, as those of a memory-bound pair are. The picture of the points must be the
  // same with and without names.
  PlaneChart named = plane(), nameless = named;
  for (ChartPoint& point : nameless.points) point.label.clear();
  show(named, {600, 400});
  const QImage with = view_.grab().toImage();
  const QRect points = view_.markRect(0).united(view_.markRect(1));
  view_.setFigure(std::make_shared<const Figure>(nameless));
  const QImage without = view_.grab().toImage();
  const double scale = with.devicePixelRatio();
  const QRect pixels(points.topLeft() * scale, points.size() * scale);
  EXPECT_EQ(with.copy(pixels), without.copy(pixels));
  EXPECT_NE(with, without);
}

TEST_F(ChartViewTest, SavesItselfAsPngAndSvgWithAllItsRows) {
  show(bars(60), {600, 260});
  QTemporaryDir folder;
  const QString png = folder.filePath("chart.png"), svg = folder.filePath("chart.svg");
  EXPECT_EQ(saveChart(view_, png), "");
  EXPECT_EQ(saveChart(view_, svg), "");
  QImage image(png);
  EXPECT_GT(image.height(), 2 * 60 * 26) << "at two pixels each";
  QFile file(svg);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  QXmlStreamReader reader(&file);
  int texts = 0;
  while (!reader.atEnd())
    if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
      ++texts;
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
  EXPECT_GE(texts, 120) << "a name and a value for each bar";
  EXPECT_NE(saveChart(view_, "/nonexistent/chart.png"), "") << "the error is said";
}

TEST_F(ChartViewTest, TenThousandPointsAreQuick) {
  PlaneChart chart;
  chart.x = {"Block", "", false};
  chart.y = {"Seconds", "s", false};
  for (int i = 0; i < 10000; ++i)
    chart.points.push_back(
        {.x = double(i), .y = 1e-6 * (1 + (i * 7919 % 100) / 1000.0), .label = {}, .detail = "x"});
  show(chart, {1000, 500});
  QElapsedTimer clock;
  clock.start();
  for (int i = 0; i < 5; ++i) {
    view_.zoom(0.98, {500, 250});
    view_.grab();
  }
  std::printf("[ measured ] 10 000 points: %.1f ms a picture\n", double(clock.elapsed()) / 5);
}

}  // namespace
}  // namespace wb
