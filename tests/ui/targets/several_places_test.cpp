// SPDX-License-Identifier: GPL-3.0-or-later
// Several places are chosen by their ticks, and share each run.
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QSignalSpy>
#include <csignal>

#include "core/runner/launcher.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/targets/target_file.h"
#include "tests/hosts/ssh_host.h"
#include "tests/ui/window_test.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/results/verdict_view.h"
#include "ui/run/checking_button.h"
#include "ui/run/run_bar.h"
#include "ui/settings/settings_page.h"
#include "ui/tables/two_line_delegate.h"
#include "ui/targets/device_box.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

#include <QSpinBox>

namespace wb {
namespace {

constexpr const char* fakeWorker = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";

class SeveralPlacesTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(changeTargets(targetFile(), [](std::vector<RunTarget>& targets) -> Result<void> {
      for (const auto& [name, where] : {std::pair{"box", "ssh://me@box"},
                                        {"far", "ssh://far/cpu"},
                                        {"gpus", "slurm://gpus?gres=gpu:1"}}) {
        targets.push_back(*parseTarget(where));
        targets.back().name = name;
      }
      return {};
    }));
    glance_ = [](const RunTarget& target, const std::stop_token&) -> TargetGlance {
      return {true, target.name == "gpus" ? "3 of 8 nodes idle, 12 jobs waiting" : "in reach"};
    };
    makePlaces_ = [this](const RunTarget& target, int workers, const auto&,
                         const std::stop_token&) -> Result<std::vector<WorkerPlace>> {
      if (target.name == unreachable_)
        return Error{Stage::setup, "there is no route to " + target.name, {}, {}};
      std::vector<WorkerPlace> places;
      for (int i = 0; i < workers; ++i) {
        Command command;
        command.argv = {fakeWorker};
        places.push_back({commandLauncher(command), "cpu", target.name, target.name});
      }
      return places;
    };
  }
  DeviceBox& box() { return parts().bar->devices(); }
  void openWithTargets() {
    open();
    ASSERT_TRUE(waitFor([&] { return box().findData("target:gpus") >= 0; }));
  }
  /// As on a machine with two GPUs.
  void withGpus() {
    box().setDevices({{"cpu", "AMD EPYC 9654 96-Core Processor", "", 0},
                      {"cuda:0", "NVIDIA H100 80GB HBM3", "sm_90", std::int64_t{80} << 30},
                      {"cuda:1", "NVIDIA H100 80GB HBM3", "sm_90", std::int64_t{80} << 30}});
  }
  [[nodiscard]] QRect rowOf(const char* id) {
    return box().view()->visualRect(box().model()->index(box().findData(id), 0));
  }
  void clickTick(const char* id) {
    QTest::mouseClick(box().view()->viewport(), Qt::LeftButton, {},
                      TwoLineDelegate::tickArea(rowOf(id)).center());
  }
  [[nodiscard]] bool isTicked(const char* id) {
    return box().itemData(box().findData(id), Qt::CheckStateRole) == Qt::Checked;
  }
  /// Ticks these, closes the list and waits until that holds.
  void tick(const std::vector<const char*>& ids) {
    QSignalSpy picked(&box(), &DeviceBox::picked);
    box().showPopup();
    for (const char* id : ids) clickTick(id);
    box().hidePopup();
    EXPECT_TRUE(waitFor([&] { return picked.count() == 1; }));
  }

  std::string unreachable_;
};

TEST_F(SeveralPlacesTest, TicksChooseSeveralAndAClickChoosesOneAlone) {
  openWithTargets();
  withGpus();
  const QAbstractItemModelTester tester(box().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(box().chosen(), "cuda:0");
  QSignalSpy changed(&box(), &DeviceBox::placeChanged);
  box().showPopup();
  EXPECT_TRUE(isTicked("cuda:0"));
  clickTick("cuda:0");
  EXPECT_TRUE(isTicked("cuda:0")) << "kernels run somewhere";
  clickTick("target:box");
  EXPECT_TRUE(box().view()->isVisible());
  EXPECT_EQ(box().title(), "cuda:0 and box");
  clickTick("target:gpus");
  EXPECT_EQ(box().chosen(), "cuda:0,target:box,target:gpus");
  EXPECT_EQ(changed.count(), 0) << "workers are not started for each tick";
  box().hidePopup();
  ASSERT_TRUE(waitFor([&] { return changed.count() == 1; }));
  EXPECT_EQ(settings_->text("run/device"), "cuda:0,target:box,target:gpus");
  const RunPlace place = box().place(2);
  EXPECT_EQ(place.devices, std::vector<std::string>{"cuda:0"});
  ASSERT_EQ(place.targets.size(), 2U);
  EXPECT_EQ(place.workers(), 5U);
  EXPECT_TRUE(box().hasGpu());
  EXPECT_EQ(parts().bar->deviceTitle(), "");
  // A row that is clicked beside its tick is chosen alone, and that is told once.
  box().showPopup();
  clickTick("cuda:1");
  QTest::qWait(QApplication::doubleClickInterval());  // before that the list takes no click
  QTest::mouseClick(box().view()->viewport(), Qt::LeftButton, {}, rowOf("target:box").center());
  EXPECT_FALSE(box().view()->isVisible());
  QCoreApplication::processEvents();
  EXPECT_EQ(box().chosen(), "target:box");
  EXPECT_EQ(changed.count(), 2);
  EXPECT_FALSE(box().hasSeveral());
}

TEST_F(SeveralPlacesTest, AClickBelowTheItemsChoosesNothing) {
  openWithTargets();
  withGpus();
  box().showPopup();
  QTest::qWait(QApplication::doubleClickInterval());
  box().view()->setCurrentIndex(box().model()->index(box().findData("target:box"), 0));
  const QRect note = box().view()->visualRect(box().model()->index(box().count() - 1, 0));
  QTest::mouseClick(box().view()->viewport(), Qt::LeftButton, {}, note.center());
  EXPECT_TRUE(box().view()->isVisible());
  EXPECT_EQ(box().chosen(), "cuda:0");
  // With Ctrl a click anywhere on an item ticks it.
  QTest::mouseClick(box().view()->viewport(), Qt::LeftButton, Qt::ControlModifier, rowOf("cuda:1").center());
  EXPECT_TRUE(isTicked("cuda:1"));
  EXPECT_TRUE(box().view()->isVisible());
  box().hidePopup();
}

TEST_F(SeveralPlacesTest, GpusAndProcessorsDoNotShareARun) {
  openWithTargets();
  withGpus();
  tick({"target:box", "target:far"});
  EXPECT_EQ(box().chosen(), "target:box,target:far") << "box may have either, far is a processor";
  EXPECT_TRUE(box().hasGpu());
  tick({"cpu"});
  EXPECT_EQ(box().chosen(), "cpu,target:box,target:far");
  EXPECT_EQ(box().place(3).devices.size(), 3U);
  tick({"target:gpus"});
  EXPECT_EQ(box().chosen(), "target:box,target:gpus");
}

TEST_F(SeveralPlacesTest, AllGpusAreOneClickAndTheKeyboardTicksToo) {
  openWithTargets();
  withGpus();
  tick({"gpus"});
  EXPECT_EQ(box().chosen(), "gpus");
  EXPECT_TRUE(isTicked("gpus"));
  EXPECT_EQ(box().place(1).devices, (std::vector<std::string>{"cuda:0", "cuda:1"}));
  tick({"cuda:0"});
  EXPECT_EQ(box().chosen(), "cuda:1");
  EXPECT_FALSE(isTicked("gpus"));
  box().setFocus();
  press(Qt::Key_F4);
  QTest::keyClick(box().view(), Qt::Key_Down);
  QTest::keyClick(box().view(), Qt::Key_Space);  // from cuda:1 to all GPUs
  EXPECT_EQ(box().chosen(), "gpus");
  QTest::keyClick(box().view(), Qt::Key_Down);
  QTest::keyClick(box().view(), Qt::Key_Return);
  EXPECT_EQ(box().chosen(), "target:box");
  box().setCurrentIndex(box().findData("gpus"));
  emit box().activated(box().currentIndex());
  EXPECT_EQ(box().chosen(), "gpus");
  EXPECT_EQ(settings_->text("run/device"), "gpus");
  EXPECT_EQ(box().title(), "All GPUs");
  // Those that are there next time are meant.
  box().setDevices({{"cpu", "CPU", "", 0}, {"cuda:0", "H100", "sm_90", 0}});
  EXPECT_EQ(box().chosen(), "cuda:0");
  withGpus();
  EXPECT_EQ(box().place(1).devices, (std::vector<std::string>{"cuda:0", "cuda:1"}));
  // On the closed box the arrows go past it.
  QTest::keyClick(&box(), Qt::Key_Down);
  EXPECT_EQ(box().chosen(), "target:box");
}

TEST_F(SeveralPlacesTest, ThisMachineAndATargetShareARunAndStayChosen) {
  openWithTargets();
  edit("relu.cpp", test::fakeKernel("--cases=40"));
  parts().bar->checking().workersField().setValue(2);
  tick({"target:box"});
  ASSERT_EQ(box().chosen(), "cpu,target:box");
  ASSERT_TRUE(waitFor([&] { return window().controller().status().state == WorkerStatus::State::ready; }));
  EXPECT_EQ(parts().status->workerText().toStdString(), "Worker ready  ·  on CPU and box  ·  4 workers");
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_TRUE(parts().results->verdict().plainText().contains("box"))
      << parts().results->verdict().plainText().toStdString();
  action("run.restart")->trigger();
  ASSERT_TRUE(waitFor([&] { return window().controller().status().state == WorkerStatus::State::ready; }));
  EXPECT_EQ(window().controller().workers(), 4U);
  EXPECT_EQ(run().report->outcome, Outcome::finished);
  close();
  open();
  EXPECT_TRUE(waitFor([&] { return box().chosen() == "cpu,target:box"; }));
  EXPECT_EQ(box().title(), "CPU and box");
  // One of them is forgotten: the other stays.
  box().setTargets({});
  EXPECT_EQ(box().chosen(), "cpu");
}

TEST_F(SeveralPlacesTest, ThisMachineAndAHostOverSshShareARun) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  qputenv("WARPBENCH_WORKER", fakeWorker);
  makePlaces_ = [&](const RunTarget& target, int, const auto&,
                    const std::stop_token&) -> Result<std::vector<WorkerPlace>> {
    std::vector<WorkerPlace> places;
    places.push_back({remoteLauncher(host.target(), WB_BINARY_DIR "/bin"), "cpu", "there", target.name});
    return places;
  };
  openWithTargets();
  // Long enough for both to have a part of it.
  edit("relu.cpp", test::fakeKernel("--cases=60 --delay=0.02"));
  tick({"target:far"});
  ASSERT_TRUE(waitFor([&] { return window().controller().status().state == WorkerStatus::State::ready; }));
  const Report& report = *run().report;
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_TRUE(waitFor([&] {
    return parts().status->workerText() == "Worker ready  ·  on CPU and far  ·  2 workers";
  })) << parts().status->workerText().toStdString();
  EXPECT_TRUE(parts().results->verdict().plainText().contains("far"))
      << parts().results->verdict().plainText().toStdString();
  // One that is lost does not hide how far the other is.
  edit("slow.cpp", test::fakeKernel("--cases=400 --delay=0.05"));
  press(Qt::Key_F5);
  const auto isAtWork = [&] {
    const auto figures = window().controller().figures();
    return figures->report->kernels[0]->source.path == "slow.cpp" && figures->counts.checked > 4;
  };
  ASSERT_TRUE(waitFor(isAtWork));
  host.lock();
  host.signalConnections(SIGKILL);
  ASSERT_TRUE(waitFor([&] { return parts().status->workerText().startsWith("Connection lost"); }))
      << parts().status->workerText().toStdString();
  EXPECT_FALSE(parts().status->progressText().contains("goes on there"))
      << parts().status->progressText().toStdString();
  host.unlock();
  press(Qt::Key_Escape);
  EXPECT_TRUE(waitFor([&] { return !window().controller().running(); }));
  close();
  EXPECT_TRUE(host.isQuiet());
  qunsetenv("WARPBENCH_WORKER");
}

TEST_F(SeveralPlacesTest, TheSettingsShowThemAsOneChoice) {
  openWithTargets();
  tick({"target:box"});
  window().showSettings();
  SettingsPage* page = nullptr;
  ASSERT_TRUE(waitFor([&] { return (page = window().findChild<SettingsPage*>()) != nullptr; }));
  const QComboBox* device = nullptr;
  for (const QComboBox* each : page->findChildren<QComboBox*>())
    if (each->accessibleName() == "Device") device = each;
  ASSERT_TRUE(device);
  EXPECT_EQ(device->currentText(), "CPU and box");
  EXPECT_EQ(device->findText(QString()), -1) << "the note below the list is no choice";
}

TEST_F(SeveralPlacesTest, OneThatCannotBeReachedIsSaid) {
  unreachable_ = "far";
  openWithTargets();
  edit("relu.cpp", test::fakeKernel());
  tick({"target:box", "target:far"});
  ASSERT_TRUE(waitFor([&] { return parts().banner->text().contains("no route to far"); }));
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([&] { return !window().controller().running(); }));
  tick({"target:far"});
  EXPECT_EQ(run().report->outcome, Outcome::finished);
}

TEST_F(SeveralPlacesTest, Pictures) {
  openWithTargets();
  withGpus();
  edit("relu.cpp", test::fakeKernel());
  window().resize(1600, 1000);
  tick({"target:box"});
  const bool twice = window().devicePixelRatioF() > 1.5;
  const auto shoot = [&](QWidget& widget, const QString& name) {
    EXPECT_FALSE(readFile(screenshot(widget, twice ? name + "-2x" : name)).isEmpty());
  };
  for (const char* theme : {"dark", "light"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    const QString prefix = QString::fromLatin1(theme) + "-several-";
    shoot(window(), prefix + "window");
    window().resize(1024, 700);
    shoot(window(), prefix + "small-window");
    window().resize(1600, 1000);
    box().showPopup();
    ASSERT_TRUE(waitFor([&] {
      return box()
          .itemData(box().findData("target:gpus"), TwoLineDelegate::summaryRole)
          .toString()
          .contains("idle");
    }));
    shoot(*box().view()->window(), prefix + "devices");
    box().hidePopup();
  }
}

}  // namespace
}  // namespace wb
