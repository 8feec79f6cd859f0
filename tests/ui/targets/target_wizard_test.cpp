// SPDX-License-Identifier: GPL-3.0-or-later
// A target is added by a dialog that tests it step by step, and that nobody has to wait for.
#include "ui/targets/target_wizard.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QToolButton>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "core/targets/target_file.h"
#include "tests/ui/window_test.h"
#include "ui/style/background.h"
#include "ui/targets/advanced_fields.h"
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

TEST_F(TargetWizardTest, WhatFewPeopleNeedIsFoldedAndSaysItselfWhatIsWrong) {
  TargetWizard wizard(steps_.tests());
  wizard.show();
  AdvancedFields& advanced = wizard.advanced();
  QTest::keyClicks(&wizard.host(), "me@box");
  EXPECT_FALSE(advanced.field("grace").isVisible());
  EXPECT_EQ(advanced.button().text(), "Advanced");
  QTest::mouseClick(&advanced.button(), Qt::LeftButton);
  EXPECT_TRUE(advanced.field("grace").isVisible());
  EXPECT_TRUE(advanced.field("cache").isVisible());
  EXPECT_FALSE(advanced.field("account").isVisible()) << "a host has none";
  advanced.field("cache").setText("/scratch/me & you");
  advanced.field("grace").setText("5 min");
  QTest::mouseClick(&advanced.button(), Qt::LeftButton);
  EXPECT_EQ(advanced.button().text(), "Advanced: Folder there, Grace time");
  std::vector<RunTarget> added;
  QObject::connect(&wizard, &TargetWizard::added, [&](const RunTarget& target) { added.push_back(target); });
  wizard.addButton().click();
  EXPECT_TRUE(added.empty());
  EXPECT_TRUE(advanced.field("grace").isVisible()) << "what is wrong is shown";
  EXPECT_TRUE(advanced.errorOf("grace").startsWith("\"5 min\" is no number of seconds"));
  EXPECT_EQ(advanced.errorOf("cache"), "");
  wizard.testButton().click();
  EXPECT_FALSE(wizard.tests().isTesting());
  advanced.field("grace").setText("300");
  EXPECT_EQ(advanced.errorOf("grace"), "");
  wizard.addButton().click();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].cache, "/scratch/me & you");
  EXPECT_EQ(optionOf(added[0], "grace"), "300");
}

TEST_F(TargetWizardTest, AClusterHasFieldsForWhatIsAskedOfTheScheduler) {
  TargetWizard wizard(steps_.tests());
  wizard.show();
  AdvancedFields& advanced = wizard.advanced();
  advanced.unfold(true);
  advanced.field("grace").setText("nonsense that a cluster has no use for");
  wizard.kind().setCurrentIndex(1);
  EXPECT_FALSE(advanced.field("grace").isVisible()) << "without a login node nothing goes by ssh";
  for (const auto& [option, value] :
       {std::pair{"account", "lab"}, {"qos", "high"}, {"cpus", "8"}, {"mem", "32G"}}) {
    EXPECT_TRUE(advanced.field(option).isVisible()) << option;
    advanced.field(option).setText(value);
  }
  std::vector<RunTarget> added;
  QObject::connect(&wizard, &TargetWizard::added, [&](const RunTarget& target) { added.push_back(target); });
  QTest::keyClicks(&wizard.partition(), "gpus");
  wizard.addButton().click();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(format(added[0]), "slurm://gpus?account=lab&qos=high&cpus=8&mem=32G");
  QTest::keyClicks(&wizard.host(), "login");
  wizard.show();
  EXPECT_TRUE(advanced.field("grace").isVisible());
  wizard.kind().setCurrentIndex(2);
  EXPECT_FALSE(advanced.button().isVisible()) << "this machine has none of it";
}

TEST_F(TargetWizardTest, Pictures) {
  open();
  for (const char* theme : {"dark", "light"}) {
    action((std::string("view.theme.") + theme).c_str())->trigger();
    const auto shoot = [&](TargetWizard& wizard, const char* name) {
      const QString twice = wizard.devicePixelRatioF() > 1.5 ? "-2x" : "";
      EXPECT_FALSE(readFile(screenshot(wizard, QString("%1-wizard-%2%3").arg(theme, name, twice))).isEmpty());
    };
    TargetWizard wizard(steps_.tests());
    wizard.show();
    QTest::keyClicks(&wizard.host(), "me@box");
    shoot(wizard, "folded");
    wizard.advanced().unfold(true);
    wizard.advanced().field("grace").setText("5 min");
    const int usual = wizard.host().height();
    wizard.testButton().click();
    QCoreApplication::processEvents();
    // At a large scale the screen is too small for that.
    if (wizard.screen()->availableGeometry().height() > 700)
      EXPECT_EQ(wizard.advanced().field("grace").height(), usual) << "the dialog grows";
    shoot(wizard, "host");
    TargetWizard cluster(steps_.tests());
    cluster.kind().setCurrentIndex(1);
    cluster.show();
    QTest::keyClicks(&cluster.host(), "me@login");
    cluster.advanced().unfold(true);
    cluster.advanced().field("account").setText("lab");
    cluster.advanced().field("mem").setText("32G");
    shoot(cluster, "cluster");
    cluster.testButton().click();
    ASSERT_TRUE(waitFor([&] { return !cluster.tests().isTesting(); }));
    EXPECT_FALSE(cluster.advanced().field("mem").isVisible());
    shoot(cluster, "cluster-tested");
  }
}

}  // namespace
}  // namespace wb
