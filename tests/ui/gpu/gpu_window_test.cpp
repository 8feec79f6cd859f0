// SPDX-License-Identifier: GPL-3.0-or-later
// The window from end to end on a real GPU: a kernel is opened, F5 and F6 are pressed, and what the card says
// is shown. Leaves pictures under the build folder's "screenshots".
#include <QAction>
#include <QTabWidget>
#include <cstdio>
#include <filesystem>

#include "core/figures/figures.h"
#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/details/details_view.h"
#include "ui/editing/document.h"
#include "ui/profile/profile_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/results/verdict_view.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_panel.h"
#include "ui/targets/device_box.h"

namespace wb {
namespace {

constexpr int patience = 120000;

class GpuWindow : public test::ProfileWindow {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/proc/driver/nvidia/version")) GTEST_SKIP() << "there is no NVIDIA driver";
    ProfileWindow::SetUp();
    worker_ = {WB_BINARY_DIR "/bin/warpbench-worker"};
  }
  Document* openSample(const QString& name) {
    open();
    window().resize(1600, 1000);
    EXPECT_TRUE(waitFor([this] { return parts().bar->devices().findData("cuda:0") >= 0; }));
    EXPECT_EQ(parts().bar->devices().chosen(), "cuda:0") << "the first GPU is chosen by itself";
    return edit(name,
                QString::fromUtf8(readFile(QStringLiteral(WB_SOURCE_DIR "/resources/samples/") + name)));
  }
  /// Everything is right and timed, and the window says so.
  void expectTimed(const RunFigures& figures) {
    ASSERT_TRUE(figures.report);
    const KernelReport& kernel = *figures.report->kernels[0];
    if (kernel.failure) ADD_FAILURE() << describe(*kernel.failure);
    EXPECT_EQ(figures.counts.failed, 0);
    EXPECT_GT(figures.counts.timed, 3);
    std::printf("%s\n", qUtf8Printable(parts().results->verdict().plainText()));
  }
  void shootPages(const QString& name) {
    inBothThemes([&](const QString& theme) {
      parts().results->showPage(nullptr);
      parts().results->cases().select("0/0");
      shoot(window(), theme + name);
      parts().results->showPage(&parts().results->profile());
      QTabWidget& tabs = parts().results->profile().tabs();
      for (int tab = 0; tab < tabs.count(); ++tab) {
        tabs.setCurrentIndex(tab);
        shoot(window(), theme + name + "-" + tabs.tabText(tab).toLower().replace(' ', '-'));
      }
      tabs.setCurrentIndex(0);
    });
  }
};

/// Shapes as people have them: the pictures of this one are the README's.
TEST_F(GpuWindow, LargeShapesFromAFileAreProfiled) {
  Document* document = openSample("softmax.cu");
  std::string cases = "Operator: aten._softmax.default\n";
  for (const int columns : {512, 1024, 2048, 4096, 8192})
    cases += "cnt: 1, ((T([4096, " + std::to_string(columns) + "], f32), 1, False), {})\n";
  parts().bar->setSuiteFile(writeFile("rows.txt", QByteArray::fromStdString(cases)));
  expectTimed(run(patience));
  const RunFigures& figures = profile(patience);
  ASSERT_FALSE(figures.profiles.empty());
  ASSERT_FALSE(figures.profiles[0]->heat.empty());
  document->editor().goTo(figures.profiles[0]->heat.front().line, 1);
  action("view.assembly")->trigger();
  shootPages("gpu-rows");
}

TEST_F(GpuWindow, RawCudaRunsAndIsProfiled) {
  Document* document = openSample("softmax.cu");
  expectTimed(run(patience));
  const RunFigures& figures = profile(patience);
  ASSERT_FALSE(figures.profiles.empty());
  EXPECT_GT(figures.profiles[0]->figures.table("metrics")->rows.size(), 20U);
  EXPECT_FALSE(figures.profiles[0]->heat.empty()) << "the margin shows hot lines";
  document->editor().goTo(figures.profiles[0]->heat.front().line, 1);
  shootPages("gpu-cuda");
}

TEST_F(GpuWindow, TritonRunsAndIsProfiled) {
  openSample("softmax_triton.py");
  expectTimed(run(patience));
  const RunFigures& figures = profile(patience);
  ASSERT_FALSE(figures.profiles.empty());
  EXPECT_GT(figures.profiles[0]->figures.table("metrics")->rows.size(), 20U);
  shootPages("gpu-triton");
}

TEST_F(GpuWindow, AFaultOfAKernelCostsItsCaseAndNotTheWindow) {
  Document* document = openSample("relu.cu");
  const QString good = document->editor().text();
  QString text = good;
  text.replace(text.lastIndexOf("}"), 1, "    if (threadIdx.x == 0) *(volatile int*)8 = 1;\n}");
  document->editor().setText(text);
  bool ended = false;
  QObject::connect(&window().controller(), &RunController::finished, &window(), [&ended] { ended = true; });
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([&] { return ended; }, patience));
  EXPECT_GT(window().controller().figures()->counts.failed, 0);
  shoot(window(), "dark-gpu-fault");
  document->editor().setText(good);
  expectTimed(run(patience));
}

}  // namespace
}  // namespace wb
