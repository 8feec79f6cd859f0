// SPDX-License-Identifier: GPL-3.0-or-later
// Targets are chosen where devices are, and runs go there with the same events.
#include <QAbstractItemView>
#include <QAction>
#include <QFile>
#include <condition_variable>
#include <csignal>
#include <mutex>

#include "core/base/files/file.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/targets/target_file.h"
#include "tests/hosts/ssh_host.h"
#include "tests/ui/window_test.h"
#include "ui/editing/editor_area.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/results/verdict_view.h"
#include "ui/run/run_bar.h"
#include "ui/style/background.h"
#include "ui/tables/two_line_delegate.h"
#include "ui/targets/device_box.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

constexpr const char* fakeWorker = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";

/// Starts the fake worker once a file is there; until then it waits in a queue.
class QueueLauncher final : public Launcher {
 public:
  explicit QueueLauncher(std::string turn) : turn_(std::move(turn)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    return Child::start({.argv = {"sh", "-c",
                                  "echo PENDING >&2; while [ ! -e \"$1\" ]; do sleep 0.02; done; "
                                  "echo >&2; exec \"$2\" \"$3\"",
                                  "sh", turn_, fakeWorker, "--device=" + wish.device}});
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return std::chrono::seconds{20}; }
  [[nodiscard]] StartState startOf(std::string_view errors) const override {
    return {errors.ends_with("PENDING\n") ? "the queue of gpus: Priority" : "", {}};
  }

 private:
  std::string turn_;
};

class TargetRunTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    const auto add = [](std::vector<RunTarget>& targets) -> Result<void> {
      RunTarget box = *parseTarget("ssh://me@box/cpu"), gpus = *parseTarget("slurm://gpus?time=30:00");
      box.name = "box";
      gpus.name = "cluster";
      targets = {box, gpus};
      return {};
    };
    ASSERT_TRUE(changeTargets(targetFile(), add));
    glance_ = [](const RunTarget& target, const std::stop_token&) -> TargetGlance {
      if (target.name == "box") return {true, "in reach"};
      return {true, "3 of 8 nodes idle, 12 jobs waiting"};
    };
    makePlaces_ = [this](const RunTarget& target, int, const auto&,
                         const std::stop_token&) -> Result<std::vector<WorkerPlace>> {
      std::vector<WorkerPlace> places;
      Command command;
      command.argv = {fakeWorker};
      places.push_back({launcher_ ? launcher_() : commandLauncher(command), "cpu", "there", target.name});
      return places;
    };
  }
  DeviceBox& box() { return parts().bar->devices(); }
  void choose(const QString& id) {
    ASSERT_TRUE(waitFor([&] { return box().findData(id) >= 0; }));
    box().setCurrentIndex(box().findData(id));
    emit box().activated(box().currentIndex());
  }
  [[nodiscard]] QString summaryOf(const QString& id) {
    return box().itemData(box().findData(id), TwoLineDelegate::summaryRole).toString();
  }

  std::function<std::unique_ptr<Launcher>()> launcher_;
};

TEST_F(TargetRunTest, TargetsAreListedWithTheirStateInWords) {
  open();
  ASSERT_TRUE(waitFor([&] { return box().findData("target:box") >= 0; }));
  EXPECT_EQ(box().itemText(box().findData("target:cluster")), "cluster");
  EXPECT_TRUE(summaryOf("target:box").contains("ssh://me@box/cpu")) << summaryOf("target:box").toStdString();
  EXPECT_TRUE(summaryOf("target:box").contains("not looked at yet"));
  box().setFocus();
  press(Qt::Key_F4);
  EXPECT_TRUE(waitFor([&] { return summaryOf("target:box").endsWith("in reach"); }));
  EXPECT_TRUE(waitFor([&] { return summaryOf("target:cluster").contains("3 of 8 nodes idle"); }));
  screenshot(*box().view()->window(), "devices-with-targets");
  // One that was added meanwhile by another program is there when the list is opened again.
  box().hidePopup();
  ASSERT_TRUE(changeTargets(targetFile(), [](std::vector<RunTarget>& targets) -> Result<void> {
    targets.push_back(*parseTarget("ssh://other"));
    targets.back().name = "other";
    return {};
  }));
  box().showPopup();
  EXPECT_TRUE(waitFor([&] { return box().findData("target:other") >= 0; }));
  box().hidePopup();
}

TEST_F(TargetRunTest, ARunGoesToTheChosenTargetAndItsResultsSaySo) {
  open();
  edit("relu.cpp", test::fakeKernel());
  choose("target:box");
  ASSERT_TRUE(waitFor([&] { return window().controller().status().state == WorkerStatus::State::ready; }));
  EXPECT_TRUE(parts().status->workerText().contains("on box")) << parts().status->workerText().toStdString();
  const RunFigures& figures = run();
  EXPECT_EQ(figures.report->outcome, Outcome::finished);
  EXPECT_TRUE(parts().results->verdict().plainText().contains("CPU on box"))
      << parts().results->verdict().plainText().toStdString();
  // The next run finds the same workers, and one on this machine has nothing of it.
  run();
  choose("cpu");
  run();
  EXPECT_FALSE(parts().results->verdict().plainText().contains("on box"));
  EXPECT_FALSE(parts().status->workerText().contains("on box"));
  choose("target:box");
  close();
  open();
  EXPECT_TRUE(waitFor([&] { return box().chosen() == "target:box"; }));
}

TEST_F(TargetRunTest, NothingWaitsForTheWayToAnotherMachine) {
  std::mutex mutex;
  std::condition_variable_any changed;
  int stopped = 0;
  makePlaces_ = [&](const RunTarget&, int, const auto& say,
                    const std::stop_token& stop) -> Result<std::vector<WorkerPlace>> {
    if (say) say("copying Warpbench's programs to box");
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
    ++stopped;
    return Error{Stage::setup, "stopped", {}, {}};
  };
  open();
  Document* document = edit("relu.cpp", test::fakeKernel());
  ASSERT_TRUE(document);
  choose("target:box");
  EXPECT_TRUE(parts().status->workerText().contains("Worker starting"));
  press(Qt::Key_F5);
  EXPECT_TRUE(window().controller().running());
  EXPECT_TRUE(waitFor([&] { return parts().status->progressText().startsWith("copying Warpbench's"); }))
      << parts().status->progressText().toStdString();
  action("run.cancel")->trigger();
  EXPECT_FALSE(window().controller().running());
  press(Qt::Key_F5);
  close();
  // Three asked for the way: the choice and two runs. All are told to stop, and nobody waits for that.
  networkThreads().waitForDone();
  EXPECT_EQ(stopped, 3);
}

TEST_F(TargetRunTest, TheQueueIsSaidWhileARunWaitsAndCancelLeavesIt) {
  const QString turn = folder() + "/turn";
  launcher_ = [&] { return std::make_unique<QueueLauncher>(turn.toStdString()); };
  open();
  edit("relu.cpp", test::fakeKernel());
  choose("target:cluster");
  press(Qt::Key_F5);
  const QString reason = "aiting in the queue of gpus: Priority";
  EXPECT_TRUE(waitFor([&] { return parts().status->progressText().contains(reason); }))
      << parts().status->progressText().toStdString();
  EXPECT_TRUE(waitFor([&] { return parts().status->workerText().contains(reason); }))
      << parts().status->workerText().toStdString();
  press(Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return !window().controller().running(); }));
  EXPECT_EQ(window().controller().figures()->report->outcome, Outcome::cancelled);
  writeFile("turn", "");
  EXPECT_EQ(run().report->outcome, Outcome::finished);
}

TEST_F(TargetRunTest, WhatCannotBeReachedIsSaidWithARetry) {
  bool isReachable = false;
  makePlaces_ = [&, make = makePlaces_](const RunTarget& target, int workers, const auto& say,
                                        const std::stop_token& stop) -> Result<std::vector<WorkerPlace>> {
    if (!isReachable) return Error{Stage::setup, "box cannot be reached: no route", "see the network"};
    return make(target, workers, say, stop);
  };
  open();
  edit("relu.cpp", test::fakeKernel());
  choose("target:box");
  ASSERT_TRUE(waitFor([&] { return parts().banner->text().contains("no route"); }));
  EXPECT_TRUE(parts().status->workerText().contains("No worker"));
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([&] { return !window().controller().running(); }));
  EXPECT_TRUE(parts().banner->text().contains("no route"));
  isReachable = true;
  window().controller().retry();
  ASSERT_TRUE(waitFor([&] { return window().controller().status().state == WorkerStatus::State::ready; }));
  EXPECT_EQ(run().report->outcome, Outcome::finished);
}

TEST_F(TargetRunTest, WhatIsTooLargeToBeCopiedIsRefusedBeforeAnythingRuns) {
  ASSERT_TRUE(QFile::resize(writeFile("helper.h", ""), 17 << 20));
  open({writeFile("relu.cpp", ("#include \"helper.h\"\n" + test::fakeKernel()).toUtf8())});
  ASSERT_TRUE(waitFor([&] { return parts().tabs->count() == 1; }));
  choose("target:box");
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([&] { return parts().banner->text().contains("not copied to another machine"); }))
      << parts().banner->text().toStdString();
  EXPECT_FALSE(window().controller().running());
}

TEST_F(TargetRunTest, ARunOverSshGivesResultsLosesItsConnectionAndEndsWhenCancelled) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  qputenv("WARPBENCH_WORKER", fakeWorker);
  makePlaces_ = [&](const RunTarget&, int, const auto&,
                    const std::stop_token&) -> Result<std::vector<WorkerPlace>> {
    std::vector<WorkerPlace> places;
    places.push_back({remoteLauncher(host.target("&grace=60"), WB_BINARY_DIR "/bin"), "cpu", "there", "box"});
    return places;
  };
  open();
  Document* document = edit("relu.cpp", test::fakeKernel());
  ASSERT_TRUE(document);
  choose("target:box");
  EXPECT_EQ(run().report->outcome, Outcome::finished);
  EXPECT_TRUE(parts().results->verdict().plainText().contains("CPU on box"));
  edit("hangs.cpp", test::fakeKernel("--mode=hang:1"));
  press(Qt::Key_F5);
  const auto isAtWork = [&] {
    const auto figures = window().controller().figures();
    return figures->report->kernels[0]->source.path == "hangs.cpp" && figures->report->underWay;
  };
  ASSERT_TRUE(waitFor(isAtWork));
  host.lock();
  host.signalConnections(SIGKILL);
  EXPECT_TRUE(waitFor([&] { return parts().status->progressText().contains("goes on there for 60.0 s"); }))
      << parts().status->progressText().toStdString();
  EXPECT_TRUE(parts().status->workerText().startsWith("Connection lost"));
  host.unlock();
  press(Qt::Key_Escape);
  EXPECT_TRUE(waitFor([&] { return !window().controller().running(); }));
  close();
  EXPECT_TRUE(host.isQuiet());
  qunsetenv("WARPBENCH_WORKER");
}

}  // namespace
}  // namespace wb
