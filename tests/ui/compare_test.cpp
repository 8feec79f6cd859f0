// SPDX-License-Identifier: GPL-3.0-or-later
// A run beside a pinned one or a saved report; and a run on several workers.
#include <QAction>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <set>

#include "core/report/exporters.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/results/cards_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/compare_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/checking_button.h"
#include "ui/run/run_bar.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

#include <QComboBox>

namespace wb {
namespace {

class CompareTest : public test::WindowTest {
 protected:
  CompareView* view() { return window().comparing().view(); }
  [[nodiscard]] bool hasRows() { return view() && view()->operators().model().rowCount() > 0; }
};

TEST_F(CompareTest, APinnedRunIsHeldAgainstTheNextOnes) {
  open();
  EXPECT_FALSE(action("report.pin")->isEnabled());
  edit("relu.cpp", test::fakeKernel());
  run();
  ASSERT_TRUE(action("report.pin")->isEnabled());
  action("report.pin")->trigger();
  ASSERT_NE(view(), nullptr);
  EXPECT_EQ(parts().results->tabs().currentWidget(), view());
  EXPECT_FALSE(hasRows());  // against itself there is nothing to say
  const std::string pinned = window().comparing().baseline()->name;
  EXPECT_TRUE(pinned.starts_with("relu.cpp, ")) << pinned;
  run();
  ASSERT_TRUE(waitFor([this] { return hasRows(); }));
  const auto a = window().comparing().baseline()->report;
  const ComparisonFigures expected = makeComparison(
      {pinned, a}, {"relu.cpp", window().controller().figures()->report}, window().comparing().baselines());
  EXPECT_EQ(view()->cards().cards(), expected.cards);
  EXPECT_EQ(view()->operators().model().table(), *expected.operators);
  EXPECT_EQ(view()->baselines().currentText(), QString::fromStdString(pinned));
}

TEST_F(CompareTest, SeveralBaselinesStandBesideTheCasesAndAreChosenAndForgotten) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  action("report.pin")->trigger();
  action("report.pin")->trigger();
  EXPECT_EQ(view()->baselines().count(), 1) << "the same run is no second baseline";
  run();
  action("report.pin")->trigger();
  ASSERT_EQ(view()->baselines().count(), 2);
  EXPECT_EQ(view()->baselines().currentIndex(), 1);
  run();
  const auto columnsSince = [this] {
    return std::ranges::count_if(view()->cases().model().table().columns,
                                 [](const Column& column) { return column.title.starts_with("Since "); });
  };
  ASSERT_TRUE(waitFor([&] { return columnsSince() == 2; }));
  std::set<std::string> titles;
  for (const Column& column : view()->cases().model().table().columns) titles.insert(column.title);
  EXPECT_EQ(titles.size(), view()->cases().model().table().columns.size()) << "names tell columns apart";
  EXPECT_NE(view()->baselines().itemText(0), view()->baselines().itemText(1));
  EXPECT_GT(view()->cases().model().rowCount(), 0);
  EXPECT_FALSE(view()->operators().isVisible()) << "one operator's row repeats the cards";
  screenshot(window(), "compare-two-baselines");
  const auto* first = window().comparing().baselines()[0].report.get();
  emit view()->baselines().activated(0);
  EXPECT_EQ(window().comparing().baseline()->report.get(), first);
  view()->removeButton().click();
  ASSERT_EQ(view()->baselines().count(), 1);
  ASSERT_TRUE(waitFor([&] { return columnsSince() == 1; }));
  view()->removeButton().click();
  EXPECT_EQ(window().comparing().baseline(), nullptr);
  EXPECT_EQ(view()->cases().model().rowCount(), 0);
}

TEST_F(CompareTest, InASmallWindowMostOfTheRoomIsForTheRows) {
  open();
  window().resize(1024, 700);
  edit("relu.cpp", test::fakeKernel());
  for (int i = 0; i < 2; ++i) {
    run();
    action("report.pin")->trigger();
  }
  run();
  ASSERT_TRUE(waitFor([this] { return hasRows(); }));
  const QTableView& rows = view()->cases().view();
  const auto inView = [&] { return rows.viewport()->height() / rows.rowHeight(0); };
  EXPECT_TRUE(waitFor([&] { return inView() >= 6; })) << inView() << " rows are in view";
}

TEST_F(CompareTest, WhatStandsAgainstWhatIsSaidInANarrowViewToo) {
  auto* pin =
      new QAction(icon(QStringLiteral("tag"), IconTone::secondary), "Pin this run, and every later one");
  CompareView narrow({pin});
  pin->setParent(&narrow);
  narrow.setBaselines({"relu.cpp, 13:22:10"}, 0);
  ComparisonFigures figures;
  figures.operators = figures.cases = std::make_shared<Table>();
  figures.b = "relu.cpp";
  const auto styleAt = [&](int width) {
    narrow.resize(width, 600);
    narrow.show();
    narrow.setComparison(figures);
    const auto buttons = narrow.findChildren<QToolButton*>();
    const auto found =
        std::ranges::find_if(buttons, [&](auto* each) { return each->defaultAction() == pin; });
    return found == buttons.end() ? Qt::ToolButtonFollowStyle : (*found)->toolButtonStyle();
  };
  EXPECT_EQ(styleAt(900), Qt::ToolButtonTextBesideIcon);
  EXPECT_EQ(styleAt(420), Qt::ToolButtonIconOnly);
  EXPECT_EQ(styleAt(900), Qt::ToolButtonTextBesideIcon) << "there is room again";
}

TEST_F(CompareTest, ASavedReportIsABaselineForTheRunThatIsThereAndForLaterOnes) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const std::string file = (folder() + "/before.json").toStdString();
  ASSERT_TRUE(exportReport(*run().report, file));
  close();
  open();
  window().comparing().read(QString::fromStdString(file));
  ASSERT_TRUE(waitFor([this] { return view() != nullptr; }));
  EXPECT_EQ(window().comparing().baseline()->name, "before.json");
  EXPECT_FALSE(hasRows());
  EXPECT_TRUE(view()->isVisible());  // though nothing ran yet
  edit("relu.cpp", test::fakeKernel("--mismatch=none"));
  run();
  EXPECT_TRUE(waitFor([this] { return hasRows(); }));
}

TEST_F(CompareTest, WhatIsNoReportIsSaidAndChangesNothing) {
  open();
  for (const auto& [name, text] : {std::pair{"a.json", "{]"},
                                   {"b.json", "[1, 2]"},
                                   {"c.json", "{\"schemaVersion\": 99}"},
                                   {"d.json", "{}"}}) {
    parts().banner->clear({});
    window().comparing().read(writeFile(name, text));
    ASSERT_TRUE(waitFor([this] { return !parts().banner->text().isEmpty(); })) << name;
    EXPECT_TRUE(parts().banner->text().contains(name)) << parts().banner->text().toStdString();
  }
  parts().banner->clear({});
  window().comparing().read(folder() + "/nowhere.json");
  EXPECT_TRUE(waitFor([this] { return parts().banner->text().contains("nowhere.json"); }));
  EXPECT_EQ(view(), nullptr);
}

TEST_F(CompareTest, SeveralWorkersRunOneJobAndTheNumberCanChange) {
  open();
  edit("relu.cpp", test::fakeKernel("--cases=60"));
  parts().bar->operators().setEditText("aten::relu");
  parts().bar->checking().workersField().setValue(2);
  EXPECT_EQ(parts().bar->place().devices, (std::vector<std::string>{"cpu", "cpu"}));
  const size_t before = pythons_.size();
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_EQ(figures.counts.checked, figures.counts.total);
  EXPECT_GT(figures.counts.total, 0);
  EXPECT_EQ(pythons_.size(), before + 2);  // a launcher each
  EXPECT_EQ(window().controller().workers(), 2u);
  EXPECT_TRUE(waitFor([this] { return parts().status->workerText().contains("2 workers"); }))
      << parts().status->workerText().toStdString();
  parts().bar->checking().workersField().setValue(1);
  EXPECT_EQ(run().report->outcome, Outcome::finished);
  EXPECT_EQ(window().controller().workers(), 1u);
}

}  // namespace
}  // namespace wb
