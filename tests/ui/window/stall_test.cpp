// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long the UI thread is busy while ten thousand cases stream in; WARPBENCH_ROWS=100000 takes more.
// It prints, and does not judge: the machine is shared.
#include <time.h>

#include <QTimer>
#include <cstdio>

#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

class StallTest : public test::WindowTest {};

TEST_F(StallTest, PrintsTheBusiestBeatOfTenThousandCases) {
  open();
  window().resize(1440, 900);
  const int cases = qEnvironmentVariableIntValue("WARPBENCH_ROWS") > 0
                        ? qEnvironmentVariableIntValue("WARPBENCH_ROWS")
                        : 10000;
  edit("relu.cpp", test::fakeKernel(QStringLiteral("--cases=%1").arg(cases)));
  double last = threadMilliseconds(), worst = 0;
  int beats = 0, over = 0;
  QTimer beat;
  beat.setTimerType(Qt::PreciseTimer);
  QObject::connect(&beat, &QTimer::timeout, [&] {
    const double now = threadMilliseconds();
    worst = std::max(worst, now - last);
    over += now - last > 16 ? 1 : 0;
    last = now;
    ++beats;
  });
  beat.start(1);
  const RunFigures& figures = run(400000);
  beat.stop();
  EXPECT_EQ(figures.counts.total, cases);
  EXPECT_EQ(parts().results->cases().model().rowCount(), cases);
  std::printf("[ figure   ] UI thread, %d cases: busiest beat %.1f ms of CPU, %d of %d beats over 16 ms\n",
              cases, worst, over, beats);
}

}  // namespace
}  // namespace wb
