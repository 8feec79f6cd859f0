// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a call that is chosen in the timeline, and earlier runs beside a profile.
#include <QTabWidget>

#include "tests/ui/profile/profile_window.h"
#include "ui/charts/chart_view.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/figure_panel.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

class ProfilePartTest : public test::ProfileWindow {
 protected:
  void SetUp() override {
    ProfileWindow::SetUp();
    openRecording("made_mm");
    window().resize(1600, 1000);
    profile();
    parts().results->pages().setCurrentWidget(&view());
    view().tabs().setCurrentIndex(5);
    ASSERT_TRUE(timeline().isVisible());
  }
  [[nodiscard]] ProfileView& view() { return parts().results->profile(); }
  [[nodiscard]] ChartView& timeline() { return *view().panel("timeline").chart(); }
  [[nodiscard]] int launches() { return view().table("launches").model().rowCount(); }
  [[nodiscard]] bool isReady() {
    return waitFor([this] { return !view().isRefining(); });
  }
  /// The mark of the longest kernel.
  [[nodiscard]] int longest() {
    int best = -1, width = 0;
    for (int mark = 0; mark < 4; ++mark)
      if (const int own = timeline().markRect(mark).width(); own > width) best = mark, width = own;
    return best;
  }
};

TEST_F(ProfilePartTest, AClickOnAKernelShowsItAloneInAllTabs) {
  const int all = launches();
  ASSERT_EQ(all, 4);
  const auto metricsOfCall = view().table("metrics").model().table();
  QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, timeline().markRect(longest()).center());
  ASSERT_TRUE(view().part());
  ASSERT_TRUE(isReady());
  EXPECT_EQ(launches(), 1);
  EXPECT_FALSE(view().table("metrics").model().hasParts()) << "one launch has no parts";
  EXPECT_NE(view().table("metrics").model().table(), metricsOfCall);
  EXPECT_TRUE(timeline().chosen()) << "the timeline itself stays whole";
  EXPECT_EQ(std::get<TimeChart>(timeline().figure()).lanes.size(), 2U);
  shoot(window(), "dark-chart-part");
  QTest::keyClick(&timeline(), Qt::Key_Escape);
  ASSERT_TRUE(isReady());
  EXPECT_FALSE(view().part());
  EXPECT_EQ(launches(), all);
  EXPECT_EQ(view().table("metrics").model().table(), metricsOfCall);
}

TEST_F(ProfilePartTest, ShiftAndDraggingChoosesAnyStretchOfOneSide) {
  const QRect kernel = timeline().markRect(longest());
  const QPoint from(kernel.left() - 4, kernel.center().y()), to(kernel.center());
  QTest::mousePress(timeline().viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(timeline().viewport(), to);
  QTest::mouseRelease(timeline().viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
  ASSERT_TRUE(view().part());
  EXPECT_EQ(view().part()->side, Side::candidate);
  EXPECT_LT(view().part()->from, view().part()->to);
  ASSERT_TRUE(isReady());
  EXPECT_LT(launches(), 4);
  EXPECT_GE(launches(), 1);
}

TEST_F(ProfilePartTest, TheKeyboardDoesTheSame) {
  timeline().setFocus();
  QTest::keyClick(&timeline(), Qt::Key_Right);
  QTest::keyClick(&timeline(), Qt::Key_Return);
  ASSERT_TRUE(view().part());
  ASSERT_TRUE(isReady());
  EXPECT_EQ(launches(), 1);
  QTest::keyClick(&timeline(), Qt::Key_Escape);
  ASSERT_TRUE(isReady());
  EXPECT_EQ(launches(), 4);
}

TEST_F(ProfilePartTest, AnotherProfileIsShownWhole) {
  QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, timeline().markRect(longest()).center());
  ASSERT_TRUE(isReady());
  profile();
  EXPECT_FALSE(view().part());
  ASSERT_TRUE(isReady());
  EXPECT_EQ(launches(), 4);
}

TEST_F(ProfilePartTest, PinnedRunsStandBesideTheirMetrics) {
  const auto columns = [this] { return view().table("metrics").model().table().columns.size(); };
  const std::size_t before = columns();
  window().comparing().pin();
  profile();
  parts().results->pages().setCurrentWidget(&view());
  ASSERT_TRUE(waitFor([&] { return columns() == before + 1; }));
  window().comparing().pin();
  profile();
  ASSERT_TRUE(waitFor([&] { return columns() == before + 2; }));
  view().tabs().setCurrentIndex(0);
  shoot(window(), "dark-profile-baselines");
  window().comparing().removeBaseline();
  window().comparing().removeBaseline();
  EXPECT_TRUE(waitFor([&] { return columns() == before; }));
}

}  // namespace
}  // namespace wb
