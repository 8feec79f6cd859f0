// SPDX-License-Identifier: GPL-3.0-or-later
// What the look costs and whether it can be read.
#include <time.h>

#include <QApplication>
#include <QWidget>
#include <cstdio>

#include "tests/ui/window_test.h"
#include "ui/style/style.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

class ThemeTest : public test::WindowTest {};

TEST_F(ThemeTest, PrintsWhatASwitchCosts) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel("--cases=200"));
  run();
  for (int i = 0; i < 4; ++i) {
    const double before = cpuMilliseconds();
    window().toggleTheme();
    const double applied = cpuMilliseconds();
    window().repaint();
    QCoreApplication::processEvents();
    const double painted = cpuMilliseconds();
    std::printf("[ figure   ] theme switch: %.0f ms of CPU to apply, %.0f ms more to paint, %d widgets\n",
                applied - before, painted - applied, int(QApplication::allWidgets().size()));
  }
}

}  // namespace
}  // namespace wb
