// SPDX-License-Identifier: GPL-3.0-or-later
// A target is added by a dialog that tests it step by step, and that nobody has to wait for.
#include "ui/targets/target_wizard.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "core/targets/target_file.h"
#include "tests/ui/window_test.h"
#include "ui/style/background.h"
#include "ui/targets/targets_panel.h"

namespace wb {
namespace {

using State = TargetFinding::State;

/// A test of targets whose steps come when the test says so.
class Steps {
 public:
  TargetTests tests() {
    return {.check =
                [this](const RunTarget& target, const auto& tell, const std::stop_token& stop) {
                  tell({State::good, "connection", "reached " + target.host, {}, 0.5});
                  if (target.python.empty())
                    tell({State::bad, "torch", "none is there", "make an environment", 1, true});
                  else
                    tell({State::good, "torch", "2.11.0 of " + target.python});
                  if (waits) wait(stop);
                  return !target.python.empty();
                },
            .makeTorch = [this](const RunTarget&, const auto& say,
                                const std::stop_token& stop) -> Result<std::string> {
              say("Collecting torch==2.11.0");
              if (waits) wait(stop);
              if (stop.stop_requested()) return Error{Stage::setup, "stopped", {}, {}};
              return std::string("/there/torch/bin/python");
            }};
  }
  int stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }
  bool waits = false;

 private:
  void wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [] { return false; });
    ++stopped_;
  }
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int stopped_ = 0;
};

class TargetWizardTest : public test::WindowTest {
 protected:
  void TearDown() override {
    networkThreads().waitForDone();
    WindowTest::TearDown();
  }
  static QString step(const TargetWizard& wizard, int row) {
    const QListWidgetItem* item = wizard.tests().findings().item(row);
    return item ? item->text() : QString();
  }
  Steps steps_;
};

TEST_F(TargetWizardTest, AHostIsTestedGetsTorchAndIsAdded) {
  TargetsPanel panel(steps_.tests());
  panel.show();
  panel.addButton().click();
  auto* wizard = panel.findChild<TargetWizard*>();
  ASSERT_TRUE(wizard);
  QTest::keyClicks(&wizard->host(), "me@box.local:2200");
  EXPECT_EQ(wizard->name().text(), "box");
  wizard->device().setText("cuda:1");
  wizard->testButton().click();
  ASSERT_TRUE(waitFor([&] { return !wizard->tests().isTesting(); }));
  EXPECT_TRUE(step(*wizard, 0).startsWith("connection: reached box.local"));
  EXPECT_TRUE(step(*wizard, 1).contains("make an environment"));
  EXPECT_TRUE(wizard->message().startsWith("Kernels cannot run there yet."));
  ASSERT_TRUE(wizard->tests().torchButton().isVisible());
  screenshot(*wizard, "target-wizard");
  // With torch there it is tested anew, by the new interpreter.
  wizard->tests().torchButton().click();
  ASSERT_TRUE(waitFor([&] { return wizard->message() == "Kernels can run there."; }));
  EXPECT_EQ(wizard->python().text(), "/there/torch/bin/python");
  EXPECT_TRUE(step(*wizard, 1).contains("2.11.0 of /there"));
  EXPECT_FALSE(wizard->tests().torchButton().isVisible());
  wizard->addButton().click();
  ASSERT_TRUE(waitFor([&] { return panel.list().count() == 1; }));
  const auto kept = readTargets(targetFile());
  ASSERT_TRUE(kept && kept->size() == 1U);
  EXPECT_EQ(format(kept->front()), "ssh://me@box.local:2200/cuda:1?python=/there/torch/bin/python");
  EXPECT_EQ(kept->front().name, "box");
}

TEST_F(TargetWizardTest, StepsAreShownAsTheyComeAndCancelEndsTheTestAndThenTheDialog) {
  steps_.waits = true;
  TargetWizard wizard(steps_.tests());
  wizard.show();
  wizard.host().setText("box");
  wizard.testButton().click();
  ASSERT_TRUE(waitFor([&] { return wizard.tests().findings().count() == 2; }));
  EXPECT_TRUE(wizard.tests().isTesting());
  EXPECT_EQ(wizard.testButton().text(), "Stop");
  QTest::keyClick(&wizard, Qt::Key_Escape);
  EXPECT_FALSE(wizard.tests().isTesting());
  EXPECT_TRUE(wizard.isVisible());
  EXPECT_EQ(wizard.message(), "The test was stopped.");
  // An installation ends in the same way, and so does what a dialog leaves that is closed meanwhile.
  wizard.tests().torchButton().click();
  ASSERT_TRUE(wizard.tests().isTesting());
  wizard.cancelButton().click();
  EXPECT_FALSE(wizard.tests().isTesting());
  QTest::keyClick(&wizard, Qt::Key_Escape);
  EXPECT_FALSE(wizard.isVisible());
  std::optional<TargetTestView> left(std::in_place, steps_.tests());
  left->start(RunTarget{});
  left.reset();
  networkThreads().waitForDone();
  EXPECT_EQ(steps_.stopped(), 3);
}

TEST_F(TargetWizardTest, EachKindAsksForWhatItNeeds) {
  TargetWizard wizard(steps_.tests());
  wizard.show();
  EXPECT_TRUE(wizard.host().isVisible());
  EXPECT_FALSE(wizard.partition().isVisible());
  EXPECT_EQ(wizard.host().accessibleName(), "Host");
  wizard.kind().setCurrentIndex(1);
  EXPECT_TRUE(wizard.host().isVisible());
  EXPECT_EQ(wizard.host().accessibleName(), "Login node");
  QTest::keyClicks(&wizard.partition(), "gpus");
  wizard.gres().setText("gpu:h100:1");
  wizard.time().setText("1-00:00:00");
  std::vector<RunTarget> added;
  QObject::connect(&wizard, &TargetWizard::added, [&](const RunTarget& target) { added.push_back(target); });
  wizard.name().setText("local");
  wizard.addButton().click();
  EXPECT_TRUE(wizard.message().contains("cannot be a target's name")) << wizard.message().toStdString();
  wizard.name().setText("cluster");
  wizard.addButton().click();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].partition, "gpus");
  EXPECT_FALSE(isBehindSsh(added[0])) << "without a login node it is this machine";
  EXPECT_EQ(optionOf(added[0], "gres"), "gpu:h100:1");
  EXPECT_EQ(optionOf(added[0], "time"), "1-00:00:00");
  TargetWizard there(steps_.tests());
  there.show();
  there.kind().setCurrentIndex(1);
  QTest::keyClicks(&there.host(), "me@login.lan:2222");
  EXPECT_EQ(there.name().text(), "login");
  QObject::connect(&there, &TargetWizard::added, [&](const RunTarget& target) { added.push_back(target); });
  there.addButton().click();
  ASSERT_EQ(added.size(), 2U);
  EXPECT_EQ(format(added[1]), "ssh://me@login.lan:2222/slurm://");
  TargetWizard here(steps_.tests());
  here.kind().setCurrentIndex(2);
  here.device().setText("nonsense");
  here.testButton().click();
  EXPECT_FALSE(here.tests().isTesting());
  EXPECT_FALSE(here.message().isEmpty());
}

}  // namespace
}  // namespace wb
