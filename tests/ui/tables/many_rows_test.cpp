// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long the UI thread is busy while a table grows, is sorted and is filtered. It prints, and does
// not judge, for the machine is shared; what it checks is that the rows are right. WARPBENCH_ROWS=100000
// takes more rows.
#include <time.h>

#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <cstdio>

#include "core/figures/figures.h"
#include "tests/core/figures/sample_report.h"
#include "tests/ui/window_test.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Measures each turn of the event loop by the processor time of this thread.
class Beats {
 public:
  Beats() {
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, [this] { beat(); });
    timer_.start(1);
  }
  void beat() {
    const double now = threadMilliseconds();
    worst_ = std::max(worst_, now - last_);
    over_ += now - last_ > 16 ? 1 : 0;
    last_ = now;
    ++beats_;
  }
  [[nodiscard]] int count() const { return beats_; }
  void print(const char* what, qint64 wall) const {
    std::printf("[ figure   ] %s: busiest beat %.1f ms of CPU, %d of %d beats over 16 ms, %lld ms in all\n",
                what, worst_, over_, beats_, static_cast<long long>(wall));
  }

 private:
  QTimer timer_;
  double last_ = threadMilliseconds(), worst_ = 0;
  int over_ = 0, beats_ = 0;
};

TEST(ManyRows, PrintsTheBusiestBeatWhileTheyComeAreSortedAndFiltered) {
  const int rows = qEnvironmentVariableIntValue("WARPBENCH_ROWS") > 0
                       ? qEnvironmentVariableIntValue("WARPBENCH_ROWS")
                       : 12000;
  constexpr int steps = 6;
  std::vector<std::shared_ptr<const Table>> growing;
  for (int step = 1; step <= steps; ++step)
    growing.push_back(std::make_shared<const Table>(casesTable(samples::many(rows * step / steps))));
  TablePanel panel(QStringLiteral("Cases"));
  panel.resize(700, 500);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const auto settled = [&] { return !panel.model().isArranging() && panel.columns().isMeasured(); };
  const auto measure = [&](const char* what, const auto& act) {
    QElapsedTimer clock;
    clock.start();
    Beats beats;
    act();
    EXPECT_TRUE(QTest::qWaitFor(settled, 60000));
    // What is painted last belongs to it.
    EXPECT_TRUE(QTest::qWaitFor([&, before = beats.count()] { return beats.count() > before + 2; }));
    beats.print(what, clock.elapsed());
  };
  std::printf("[ figure   ] %d rows of %zu columns\n", rows, growing.back()->columns.size());
  measure("rows come", [&] {
    for (const auto& table : growing) {
      panel.setTable(table);
      EXPECT_TRUE(QTest::qWaitFor(settled, 60000));
    }
  });
  EXPECT_EQ(panel.model().rowCount(), rows);
  QHeaderView* header = panel.view().horizontalHeader();
  const auto columnOf = [&](ColumnKind kind) {
    const auto& columns = growing.back()->columns;
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].kind == kind) return int(i);
    return -1;
  };
  measure("sort by a number",
          [&] { header->setSortIndicator(columnOf(ColumnKind::ratio), Qt::AscendingOrder); });
  measure("again, descending",
          [&] { header->setSortIndicator(columnOf(ColumnKind::ratio), Qt::DescendingOrder); });
  measure("sort by a text",
          [&] { header->setSortIndicator(columnOf(ColumnKind::name), Qt::AscendingOrder); });
  measure("do not sort", [&] { header->setSortIndicator(-1, Qt::AscendingOrder); });
  measure("filter, first key", [&] { panel.filter().setText("1"); });
  measure("filter, second key", [&] { panel.filter().setText("12"); });
  measure("no filter", [&] { panel.filter().clear(); });
  EXPECT_EQ(panel.model().rowCount(), rows);
}

}  // namespace
}  // namespace wb
