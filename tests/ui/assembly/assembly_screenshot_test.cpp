// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a kernel's assembly beside its source, beside those of screenshot_test.cpp.
#include <QAction>
#include <QComboBox>
#include <filesystem>

#include "editor/kernel_editor.h"
#include "tests/ui/profile/profile_window.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/assembly/assembly_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_bar.h"

namespace wb {
namespace {

class AssemblyScreenshots : public test::ProfileWindow {
 protected:
  void shoot(const QString& name) { ProfileWindow::shoot(window(), name); }
  void inBothThemes(const QString& name) {
    ProfileWindow::inBothThemes([&](const QString& theme) { shoot(theme + name); });
  }
  [[nodiscard]] AssemblyView& view() { return window().assembly().view(); }
  /// Profiles a sample with the real worker; without one the test says so.
  Document* openSample(const QString& name) {
    const std::string worker = WB_BINARY_DIR "/bin/warpbench-worker";
    if (!std::filesystem::exists(worker)) return nullptr;
    worker_ = {worker};
    open();
    window().resize(1600, 1000);
    parts().bar->efforts().setCurrentIndex(0);
    return edit(name, QString::fromUtf8(readFile(WB_SOURCE_DIR "/resources/samples/" + name)));
  }
};

TEST_F(AssemblyScreenshots, OfARecordedGpu) {
  Document* document = openRecording("h100_bank_conflict");
  window().resize(1600, 1000);
  profile();
  action("view.assembly")->trigger();
  document->editor().goTo(10, 1);
  press(Qt::Key_F7);
  inBothThemes("assembly-h100");
  window().resize(1024, 700);
  shoot("small-assembly-h100");
}

TEST_F(AssemblyScreenshots, OfCppOnTheCpu) {
  Document* document = openSample("relu.cpp");
  if (!document) GTEST_SKIP() << "no worker was built";
  profile(200000);  // with a compiler of its own, on a machine that may be busy
  if (!view().form()) GTEST_SKIP() << "no code: no worker, or no disassembler";
  EXPECT_EQ(view().form()->language, "x86-64");
  document->editor().goTo(view().pane().bands().rbegin()->first, 1);
  inBothThemes("assembly-cpp");
}

TEST_F(AssemblyScreenshots, OfFourDtypes) {
  Document* document = openSample("mm.cu");
  if (!document) GTEST_SKIP() << "no worker was built";
  profile(200000);  // with a compiler of its own, on a machine that may be busy
  if (!view().form()) GTEST_SKIP() << "no code: no worker, or no disassembler";
  EXPECT_EQ(view().dtype().count(), 4);
  view().counters().setCurrentIndex(view().counters().findData("rows"));
  emit view().counters().activated(view().counters().currentIndex());
  document->editor().goTo(view().pane().bands().rbegin()->first, 1);
  shoot("dark-assembly-mm");
  const int other = view().comparison().findText("f16, sm_90");
  ASSERT_GT(other, 0);
  view().comparison().setCurrentIndex(other);
  emit view().comparison().activated(other);
  inBothThemes("assembly-diff");
  view().language().setCurrentIndex(view().language().findText("PTX"));
  emit view().language().activated(view().language().currentIndex());
  shoot("dark-assembly-ptx");
}

TEST_F(AssemblyScreenshots, OfNothingYet) {
  openRecording("made_static");
  window().resize(1600, 1000);
  action("view.assembly")->trigger();
  inBothThemes("assembly-none");
}

}  // namespace
}  // namespace wb
