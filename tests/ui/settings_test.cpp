// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers, and the dialog in which it is set.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QThread>

#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/results/run_figures.h"
#include "ui/run/python_check.h"
#include "ui/run/run_bar.h"
#include "ui/settings/settings_dialog.h"

namespace wb {
namespace {

class SettingsTest : public test::WindowTest {
 protected:
  SettingsDialog* openDialog() {
    press(Qt::Key_Comma, Qt::ControlModifier);
    SettingsDialog* found = nullptr;
    EXPECT_TRUE(waitFor([&] { return (found = window().findChild<SettingsDialog*>()) && !found->asking(); }));
    return found;
  }
  /// Types a path and waits for what is found there.
  void say(SettingsDialog& dialog, const QString& path) {
    dialog.python().setText(path);
    EXPECT_FALSE(dialog.okButton().isEnabled());  // not before it was looked at
    EXPECT_TRUE(waitFor([&] { return dialog.asking(); }));
    EXPECT_TRUE(waitFor([&] { return !dialog.asking(); }));
  }
  /// A program that answers as a Python with this torch would.
  QString pythonWith(const QByteArray& torch) {
    const QString file =
        writeFile("python-" + QString::fromLatin1(torch),
                  "#!/bin/sh\necho warpbench-python\necho 3.11.2\necho '" + torch + "'\necho 3.6.0\n");
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file;
  }
};

TEST_F(SettingsTest, WhatWasSetIsThereForTheNextWindow) {
  {
    Settings settings(folder().toStdString());
    settings.setText("a/text", "é\tb");
    settings.setReal("a/real", 1e-7);
    settings.addRecentFile("/x/relu.py");
  }
  Settings again(folder().toStdString());
  EXPECT_EQ(again.text("a/text"), "é\tb");
  EXPECT_EQ(again.real("a/real", 0), 1e-7);
  EXPECT_EQ(again.recentFiles(), QStringList("/x/relu.py"));
}

TEST_F(SettingsTest, TwoWindowsKeepEachOthersChanges) {
  {
    Settings one(folder().toStdString()), two(folder().toStdString());
    EXPECT_EQ(one.text("x"), "");
    EXPECT_EQ(two.text("y"), "");
    one.setText("x", "1");
    two.setText("y", "2");
  }
  Settings later(folder().toStdString());
  EXPECT_EQ(later.text("x"), "1");
  EXPECT_EQ(later.text("y"), "2");
}

TEST_F(SettingsTest, AClearedListStaysCleared) {
  { Settings(folder().toStdString()).addRecentFile("/a"); }
  { Settings(folder().toStdString()).clearRecentFiles(); }
  EXPECT_TRUE(Settings(folder().toStdString()).recentFiles().isEmpty());
}

TEST_F(SettingsTest, LimitsAreSetHereAndReachTheNextRun) {
  open();
  SettingsDialog* dialog = openDialog();
  EXPECT_EQ(dialog->caseSeconds().value(), 30);
  EXPECT_EQ(dialog->firstCallSeconds().value(), 300);
  EXPECT_FALSE(dialog->sandbox().isChecked());
  dialog->sandbox().setChecked(true);
  dialog->caseSeconds().setValue(45);
  dialog->firstCallSeconds().setValue(600);
  dialog->okButton().click();
  const auto* bar = window().findChild<RunBar*>();
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(bar->request().limits.caseSeconds, 45);
  EXPECT_EQ(bar->request().limits.firstCallSeconds, 600);
  EXPECT_TRUE(bar->request().sandbox);
}

TEST_F(SettingsTest, AStrictJudgeIsChosenHereForTheNextRun) {
  open();
  const auto* bar = window().findChild<RunBar*>();
  ASSERT_NE(bar, nullptr);
  EXPECT_FALSE(bar->request().strict);
  SettingsDialog* dialog = openDialog();
  EXPECT_FALSE(dialog->strict().isChecked());
  dialog->strict().setChecked(true);
  dialog->okButton().click();
  EXPECT_TRUE(bar->request().strict);
}

TEST_F(SettingsTest, AFileThatIsNoSettingsFileGivesDefaults) {
  writeFile("window.ini", QByteArray("\x00\xff[garbage\n===\n", 16));
  EXPECT_EQ(Settings(folder().toStdString()).number("editor/zoom", 13), 13);
}

TEST_F(SettingsTest, APythonWithTheRightTorchIsTakenAndReachesTheNextRunsWorkers) {
  open();
  const QString python = pythonWith("2.11.0+cu130");
  SettingsDialog* dialog = openDialog();
  say(*dialog, python);
  EXPECT_EQ(dialog->message(), "Python 3.11.2 · torch 2.11.0+cu130 · Triton 3.6.0");
  ASSERT_TRUE(dialog->okButton().isEnabled());
  ASSERT_TRUE(waitFor([this] { return window().controller().status().state == WorkerStatus::State::ready; }));
  const size_t launchers = pythons_.size();
  QPointer<SettingsDialog> gone(dialog);
  dialog->okButton().click();
  ASSERT_TRUE(waitFor([&] { return gone.isNull(); }));
  EXPECT_EQ(settings_->text("python/path"), python);
  EXPECT_EQ(pythons_.size(), launchers);  // nothing restarts before it is needed
  edit("relu.cpp", test::fakeKernel())->setFocus();
  EXPECT_EQ(run().report->outcome, Outcome::finished);
  ASSERT_EQ(pythons_.size(), launchers + 1);
  EXPECT_EQ(pythons_.back(), python.toStdString());
  close();
  open();
  EXPECT_TRUE(waitFor([&] { return pythons_.size() == launchers + 2; }));
  EXPECT_EQ(pythons_.back(), python.toStdString());
}

TEST_F(SettingsTest, AnotherTorchIsNamedAndCannotBeTaken) {
  open();
  SettingsDialog* dialog = openDialog();
  say(*dialog, pythonWith("2.4.1"));
  EXPECT_EQ(dialog->message(), "It has torch 2.4.1; Warpbench is built for torch 2.11");
  EXPECT_FALSE(dialog->okButton().isEnabled());
  say(*dialog, pythonWith("2.110.0"));
  EXPECT_FALSE(dialog->okButton().isEnabled());
  say(*dialog, pythonWith(""));
  EXPECT_TRUE(dialog->message().endsWith("(Python 3.11.2) has no torch"));
  screenshot(*dialog, "settings-error");
}

TEST_F(SettingsTest, WhatIsNoPythonIsSaid) {
  open();
  SettingsDialog* dialog = openDialog();
  const auto saysAbout = [&](const QString& path) {
    say(*dialog, path);
    EXPECT_FALSE(dialog->okButton().isEnabled()) << path.toStdString();
    return dialog->message();
  };
  EXPECT_TRUE(saysAbout("/nowhere/bin/python").contains("/nowhere/bin/python"));
  EXPECT_TRUE(saysAbout("/bin/echo").contains("is not a Python"));
  EXPECT_TRUE(saysAbout(folder()).contains("without bin/python"));
  EXPECT_TRUE(saysAbout(writeFile("text", "no program")).contains("text"));
  EXPECT_TRUE(saysAbout("/bin/false").contains("exit code 1"));
  dialog->python().clear();
  ASSERT_TRUE(waitFor([&] { return !dialog->asking() && dialog->okButton().isEnabled(); }));
}

TEST_F(SettingsTest, AnEnvironmentsFolderMeansItsPython) {
  ASSERT_TRUE(QDir(folder()).mkpath("venv/bin"));
  const QString python = pythonWith("2.11.0");
  ASSERT_TRUE(QFile::rename(python, folder() + "/venv/bin/python"));
  const Result<PythonFacts> facts = askPython((folder() + "/venv").toStdString());
  ASSERT_TRUE(facts) << facts.error().text;
  EXPECT_EQ(facts->path, (folder() + "/venv/bin/python").toStdString());
}

TEST_F(SettingsTest, AStoppedQuestionEndsTheProgram) {
  const QString slow = writeFile("slow", "#!/bin/sh\nsleep 100\n");
  QFile::setPermissions(slow, QFile::ReadOwner | QFile::ExeOwner);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(askPython(slow.toStdString(), stop.get_token()));
}

TEST_F(SettingsTest, TheThemeIsAppliedOnSave) {
  open();
  SettingsDialog* dialog = openDialog();
  dialog->theme().setCurrentIndex(dialog->theme().findData("light"));
  EXPECT_TRUE(appearance_->theme().dark);
  dialog->python().clear();
  ASSERT_TRUE(waitFor([&] { return dialog->okButton().isEnabled(); }));
  dialog->okButton().click();
  EXPECT_FALSE(appearance_->theme().dark);
}

}  // namespace
}  // namespace wb
