// SPDX-License-Identifier: GPL-3.0-or-later
// Targets are named, tested and forgotten in the settings, over the same file as on the command line.
#include "ui/targets/targets_panel.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include "core/targets/target_file.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings_page.h"

namespace wb {
namespace {

class TargetsPanelTest : public test::WindowTest {
 protected:
  /// Fills the fields and saves.
  static void save(const TargetsPanel& panel, const char* name, const char* where) {
    panel.name().setText(QString::fromLatin1(name));
    panel.where().setText(QString::fromLatin1(where));
    panel.saveButton().click();
  }
};

TEST_F(TargetsPanelTest, ATargetIsSavedTestedAndRemoved) {
  open();
  window().showSettings();
  SettingsPage* page = nullptr;
  ASSERT_TRUE(waitFor([&] { return (page = window().findChild<SettingsPage*>()) != nullptr; }));
  TargetsPanel& panel = page->targets();
  page->sections().setCurrentRow(page->shownSections().indexOf("Targets"));
  save(panel, "box", "ssh://127.0.0.1:1/cpu");
  ASSERT_TRUE(waitFor([&] { return panel.list().count() == 1; })) << panel.message().toStdString();
  EXPECT_EQ(panel.message(), "box is saved.");
  auto kept = readTargets(targetFile());
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(format(kept->front()), "ssh://127.0.0.1:1/cpu");

  panel.testButton().click();
  EXPECT_TRUE(panel.tests().isTesting());
  EXPECT_EQ(panel.testButton().text(), "Stop");
  ASSERT_TRUE(waitFor([&] { return !panel.tests().isTesting(); }));
  EXPECT_EQ(panel.testButton().text(), "Test");
  EXPECT_EQ(panel.message(), "Kernels cannot run there yet.");
  EXPECT_GE(panel.tests().findings().count(), 1);
  screenshot(*page, "settings-targets");

  panel.removeButton().click();
  ASSERT_TRUE(waitFor([&] { return panel.list().count() == 0; }));
  EXPECT_FALSE(panel.removeButton().isEnabled());
  kept = readTargets(targetFile());
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->empty());
}

TEST_F(TargetsPanelTest, WhatIsNoTargetIsSaidAndNothingIsWritten) {
  TargetsPanel panel;
  save(panel, "box", "ssh://");
  EXPECT_TRUE(panel.message().contains("host is missing")) << panel.message().toStdString();
  save(panel, "local", "ssh://box");
  EXPECT_TRUE(panel.message().contains("cannot be a target's name")) << panel.message().toStdString();
  panel.where().setText("nonsense");
  panel.testButton().click();
  EXPECT_FALSE(panel.tests().isTesting());
  EXPECT_FALSE(QFile::exists(QString::fromStdString(targetFile().string())));
}

TEST_F(TargetsPanelTest, OneOfTheSameNameIsReplacedAndTheChosenOneStandsInTheFields) {
  TargetsPanel panel;
  save(panel, "a", "local cpu");
  ASSERT_TRUE(waitFor([&] { return panel.list().count() == 1; }));
  save(panel, "b", "ssh://host");
  ASSERT_TRUE(waitFor([&] { return panel.list().count() == 2; }));
  save(panel, "a", "slurm://gpus");
  ASSERT_TRUE(waitFor([&] { return panel.list().item(0)->text().contains("slurm://gpus"); }));
  EXPECT_EQ(panel.list().count(), 2);
  panel.list().setCurrentRow(1);  // the file has them by name
  EXPECT_EQ(panel.name().text(), "b");
  EXPECT_EQ(panel.where().text(), "ssh://host");
}

}  // namespace
}  // namespace wb
