// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers, and the page on which it is set.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QToolButton>
#include <QWheelEvent>

#include <Qsci/qscilexer.h>

#include <QFontInfo>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/assembly/assembly_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/run_figures.h"
#include "ui/run/python_check.h"
#include "ui/run/run_bar.h"
#include "ui/settings/caches_panel.h"
#include "ui/settings/environments.h"
#include "ui/settings/python_panel.h"
#include "ui/settings/setting_list.h"
#include "ui/settings/setting_row.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/shortcuts.h"
#include "ui/settings/shortcuts_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class SettingsTest : public test::WindowTest {
 protected:
  SettingsPage* openPage() {
    press(Qt::Key_Comma, Qt::ControlModifier);
    SettingsPage* found = nullptr;
    EXPECT_TRUE(
        waitFor([&] { return (found = window().findChild<SettingsPage*>()) && !found->python().asking(); }));
    return found;
  }
  /// Types a path and waits for what is found there.
  void say(PythonPanel& panel, const QString& path) {
    panel.python().setText(path);
    EXPECT_FALSE(panel.isTaken());  // not before it was looked at
    EXPECT_TRUE(waitFor([&] { return panel.asking(); }));
    EXPECT_TRUE(waitFor([&] { return !panel.asking(); }));
  }
  template <class Control>
  static Control& control(const SettingsPage& page, const char* key) {
    return *qobject_cast<Control*>(&page.row(key)->control());
  }
  /// A program that answers as a Python with this torch would.
  QString pythonWith(const QByteArray& torch) {
    QString file =
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

TEST_F(SettingsTest, WhatWasSetIsOnDiskOnceItWasFlushed) {
  Settings settings(folder().toStdString());
  settings.setText("a/text", "kept");
  settings.flush();
  EXPECT_TRUE(readFile(folder() + "/window.ini").contains("kept"));
  settings.setText("a/text", "newer");
  settings.flush();
  EXPECT_TRUE(readFile(folder() + "/window.ini").contains("newer"));
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

TEST_F(SettingsTest, WhatIsSetHoldsAtOnceAndReachesTheNextRun) {
  open();
  const SettingsPage* page = openPage();
  const auto* bar = window().findChild<RunBar*>();
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(control<QDoubleSpinBox>(*page, "limits/case").value(), 30);
  EXPECT_FALSE(bar->request().strict);
  control<QCheckBox>(*page, "walls/sandbox").setChecked(true);
  control<QCheckBox>(*page, "judge/strict").setChecked(true);
  control<QDoubleSpinBox>(*page, "limits/case").setValue(45);
  control<QDoubleSpinBox>(*page, "limits/firstCall").setValue(600);
  auto& effort = control<QComboBox>(*page, "run/effort");
  effort.setFocus();
  QTest::keyClick(&effort, Qt::Key_Down);
  auto& tolerance = control<QComboBox>(*page, "check/tolerance");
  QTest::keyClick(&tolerance, Qt::Key_Down);
  EXPECT_EQ(bar->request().limits.caseSeconds, 45);
  EXPECT_EQ(bar->request().limits.firstCallSeconds, 600);
  EXPECT_TRUE(bar->request().sandbox);
  EXPECT_TRUE(bar->request().strict);
  EXPECT_EQ(bar->efforts().currentIndex(), 2);
  EXPECT_EQ(bar->request().tolerance.preset, "backendbench");
  EXPECT_EQ(parts().tabs->zoom(), 13);
  control<QSpinBox>(*page, "editor/zoom").setValue(17);
  EXPECT_EQ(parts().tabs->zoom(), 17);
}

TEST_F(SettingsTest, ThereIsOneZoomForWheelKeysAndPage) {
  open();
  KernelEditor& editor = edit("a.cpp", "int a;\n")->editor();
  const int before = parts().tabs->zoom();
  QWidget* viewport = editor.viewport();
  QWheelEvent turn(QPointF(20, 20), QPointF(viewport->mapToGlobal(QPoint(20, 20))), {}, QPoint(0, 120),
                   Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&turn);  // Qt hands only a real wheel's turns on
  qApp->notify(viewport, &turn);
  EXPECT_EQ(parts().tabs->zoom(), before + 1);
  EXPECT_EQ(settings_->number("editor/zoom", 0), before + 1);
  press(Qt::Key_0, Qt::ControlModifier);
  EXPECT_EQ(parts().tabs->zoom(), 13);
  EXPECT_EQ(editor.SendScintilla(QsciScintilla::SCI_GETZOOM), 0) << "the editor has no zoom of its own";
}

TEST_F(SettingsTest, ASettingGoesBackToItsStandard) {
  open();
  const SettingsPage* page = openPage();
  SettingRow& row = *page->row("history/runs");
  auto* reset = row.findChild<QToolButton*>();
  EXPECT_TRUE(reset->isHidden());
  control<QSpinBox>(*page, "history/runs").setValue(7);
  EXPECT_EQ(settings_->number("history/runs", 200), 7);
  ASSERT_FALSE(reset->isHidden());
  reset->click();
  EXPECT_EQ(control<QSpinBox>(*page, "history/runs").value(), 200);
  EXPECT_TRUE(reset->isHidden());
}

TEST_F(SettingsTest, TheSearchFindsSettingsAndShortcutsByTheirWords) {
  open();
  SettingsPage* page = openPage();
  EXPECT_EQ(page->shownSections().size(), page->sections().count());
  QTest::keyClicks(&page->search(), "theme dark");
  EXPECT_TRUE(page->shownSections().contains("Look"));
  EXPECT_FALSE(page->row("theme")->isHidden());
  EXPECT_TRUE(page->row("limits/case")->isHidden());
  page->search().setText("interpreter");
  EXPECT_EQ(page->shownSections(), QStringList("Python"));
  page->search().setText("next problem");
  EXPECT_EQ(page->shownSections(), QStringList("Shortcuts"));
  page->search().setText("no such words");
  EXPECT_TRUE(page->shownSections().isEmpty());
  screenshot(*page, "settings-nothing-found");
  page->search().clear();
  EXPECT_EQ(page->shownSections().size(), page->sections().count());
}

TEST_F(SettingsTest, EverySettingHasWordsAndItsStandardIsOneOfItsChoices) {
  QStringList keys;
  for (const SettingInfo& setting : settingList()) {
    EXPECT_FALSE(keys.contains(setting.name)) << setting.name;
    keys.push_back(setting.name);
    EXPECT_GT(QString(setting.title).size(), 3) << setting.name;
    EXPECT_TRUE(QString(setting.help).endsWith('.')) << setting.name;
    if (setting.kind != SettingKind::choice) {
      EXPECT_LE(setting.least, setting.standard) << setting.name;
      EXPECT_GE(setting.most, setting.standard) << setting.name;
    } else if (QLatin1String(setting.name) != QLatin1String("run/device")) {
      bool found = false;
      for (const SettingChoice& choice : choicesOf(setting))
        found = found || choice.value == standardOf(setting);
      EXPECT_TRUE(found) << setting.name;
    }
  }
}

TEST_F(SettingsTest, RunningOnSaveAndCheckingWhileTypingAreOneSettingWithTheMenu) {
  open();
  SettingsPage* page = openPage();
  control<QCheckBox>(*page, "run/onSave").click();
  EXPECT_TRUE(action("run.onSave")->isChecked());
  EXPECT_TRUE(settings_->runsOnSave());
  action("run.whileTyping")->trigger();
  EXPECT_TRUE(control<QCheckBox>(*page, "run/whileTyping").isChecked());
  control<QCheckBox>(*page, "run/whileTyping").click();
  EXPECT_FALSE(action("run.whileTyping")->isChecked());
  EXPECT_FALSE(settings_->checksWhileTyping());
}

TEST_F(SettingsTest, TheFontOfSourcesIsThatOfEditorsAndOfAssembly) {
  open();
  Document* document = edit("relu.cpp", test::fakeKernel());
  const SettingInfo* font = findSetting("editor/font");
  ASSERT_NE(font, nullptr);
  const QList<SettingChoice> choices = choicesOf(*font);
  const auto familyOf = [&] { return QFontInfo(document->editor().lexer()->defaultFont(0)).family(); };
  EXPECT_EQ(familyOf(), "WB Mono");
  if (choices.size() < 2) GTEST_SKIP() << "this machine has no other font of one width";
  const QString other = choices[1].value.toString();
  settings_->setSetting(*font, other);
  EXPECT_EQ(familyOf(), other);
  EXPECT_EQ(QFontInfo(window().assembly().view().pane().font()).family(), other);
  settings_->setSetting(*font, "No such font at all");
  EXPECT_EQ(familyOf(), "WB Mono");
}

// Our letters have no bold, which Qt would smear.
TEST_F(SettingsTest, NoTooltipIsBold) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  int tips = 0;
  const auto look = [&](const QString& tip) {
    tips += tip.isEmpty() ? 0 : 1;
    EXPECT_FALSE(tip.contains("<b>") || tip.contains("<strong>") || tip.contains("<th")) << tip.toStdString();
  };
  for (const QWidget* widget : window().findChildren<QWidget*>()) look(widget->toolTip());
  for (const QAction* each : window().findChildren<QAction*>()) look(each->toolTip());
  EXPECT_GT(tips, 60);
}

TEST_F(SettingsTest, KeysAreChosenConflictsAreSaidAndAllIsReset) {
  open();
  SettingsPage* page = openPage();
  ShortcutsPanel& panel = page->shortcuts();
  QAction* save = action("file.save");
  QAction* run = action("run.start");
  panel.select("run.start");
  panel.keys().setKeySequence(QKeySequence("Ctrl+Shift+F5"));
  EXPECT_EQ(run->shortcut(), QKeySequence("Ctrl+Shift+F5"));
  EXPECT_TRUE(run->toolTip().contains("Ctrl+Shift+F5"));
  panel.select("run.start");
  panel.keys().setKeySequence(save->shortcut());
  EXPECT_TRUE(panel.message().contains("Save")) << panel.message().toStdString();
  EXPECT_EQ(run->shortcut(), QKeySequence("Ctrl+Shift+F5")) << "nothing changes unasked";
  panel.takeButton().click();
  EXPECT_EQ(run->shortcut(), QKeySequence::Save);
  EXPECT_TRUE(save->shortcut().isEmpty());
  screenshot(*page, "settings-shortcuts");
  close();
  open();
  EXPECT_EQ(action("run.start")->shortcut(), QKeySequence::Save);
  EXPECT_TRUE(action("file.save")->shortcut().isEmpty());
  openPage()->shortcuts().resetAllButton().click();
  EXPECT_EQ(action("run.start")->shortcut(), QKeySequence("F5"));
  EXPECT_EQ(action("file.save")->shortcut(), QKeySequence::Save);
}

TEST_F(SettingsTest, CachesAreMeasuredAndEmptied) {
  open();
  ASSERT_TRUE(QDir(folder()).mkpath("CACHE/build/a"));
  writeFile("CACHE/build/a/k.so", QByteArray(5000, 'x'));
  SettingsPage* page = openPage();
  CachesPanel& panel = page->caches();
  ASSERT_TRUE(waitFor([&] { return panel.emptyButton().isEnabled(); }));
  EXPECT_TRUE(panel.summary().contains("CACHE")) << panel.summary().toStdString();
  panel.emptyButton().click();
  ASSERT_TRUE(waitFor([&] { return !QFile::exists(folder() + "/CACHE/build/a/k.so"); }));
}

TEST_F(SettingsTest, NamedEnvironmentsAreForTheTabThatChoosesThem) {
  open();
  SettingsPage* page = openPage();
  PythonPanel& panel = page->python();
  panel.addButton().click();
  panel.name().setText("nightly");
  emit panel.name().editingFinished();
  const QString python = pythonWith("2.11.1");
  say(panel, python);
  ASSERT_TRUE(panel.isTaken()) << panel.message().toStdString();
  screenshot(*page, "settings");
  EXPECT_EQ(environments(*settings_), (QList<Environment>{{"nightly", python}}));
  EXPECT_EQ(pythonFor(*settings_, "nightly"), python);
  EXPECT_EQ(pythonFor(*settings_, ""), "");
  EXPECT_EQ(pythonFor(*settings_, "gone"), "");
  page->accept();
  edit("relu.cpp", test::fakeKernel())->setEnvironment("nightly");
  run();
  EXPECT_EQ(pythons_.back(), python.toStdString());
  edit("other.cpp", test::fakeKernel());
  run();
  EXPECT_EQ(pythons_.back(), "");
  close();
  open();
  QStringList chosen;
  for (const Document* document : parts().tabs->documents()) chosen.push_back(document->environment());
  EXPECT_TRUE(chosen.contains("nightly"));
}

TEST_F(SettingsTest, AFileThatIsNoSettingsFileIsKeptAndSaid) {
  ASSERT_TRUE(QDir(folder()).mkpath("CONFIG"));
  const QByteArray garbage("\x00\xff[garbage\n===\n", 16);
  writeFile("CONFIG/window.ini", garbage);
  open();
  EXPECT_EQ(settings_->number("editor/zoom", 13), 13);
  EXPECT_TRUE(parts().banner->text().contains("cannot be read")) << parts().banner->text().toStdString();
  EXPECT_EQ(readFile(folder() + "/CONFIG/window.ini.unreadable"), garbage);
  settings_->setNumber("editor/zoom", 15);
  close();
  open();
  EXPECT_EQ(settings_->number("editor/zoom", 13), 15);
  EXPECT_EQ(parts().banner->text(), "");
}

TEST_F(SettingsTest, SettingsOfANewerVersionAreKeptAndSaid) {
  ASSERT_TRUE(QDir(folder()).mkpath("CONFIG"));
  writeFile("CONFIG/window.ini", "[General]\nversion=99\n[future]\nthing=new\n[editor]\nzoom=15\n");
  open();
  EXPECT_TRUE(parts().banner->text().contains("newer Warpbench")) << parts().banner->text().toStdString();
  EXPECT_EQ(settings_->number("editor/zoom", 13), 15);
  settings_->setNumber("history/runs", 3);
  close();
  const QByteArray after = readFile(folder() + "/CONFIG/window.ini");
  EXPECT_TRUE(after.contains("thing=new"));
  EXPECT_TRUE(after.contains("version=99"));
}

TEST_F(SettingsTest, ValuesThatMakeNoSenseAreTheStandardOrTheNearestBound) {
  writeFile("window.ini",
            "[editor]\nzoom=banana\n[limits]\ncase=-5\nfirstCall=nan\n[history]\nruns=999999999\n[run]"
            "\neffort=77\n");
  const Settings settings(folder().toStdString());
  EXPECT_EQ(settings.number("editor/zoom", 13), 13);
  EXPECT_EQ(settings.real("limits/case", 30), 0.1);
  EXPECT_EQ(settings.real("limits/firstCall", 300), 300);
  EXPECT_EQ(settings.number("history/runs", 200), 100000);
}

TEST_F(SettingsTest, APythonWithTheRightTorchIsTakenAndReachesTheNextRunsWorkers) {
  open();
  const QString python = pythonWith("2.11.0+cu130");
  SettingsPage* page = openPage();
  say(page->python(), python);
  EXPECT_EQ(page->python().message(), "Python 3.11.2 · torch 2.11.0+cu130 · Triton 3.6.0");
  ASSERT_TRUE(page->python().isTaken());
  ASSERT_TRUE(waitFor([this] { return window().controller().status().state == WorkerStatus::State::ready; }));
  const size_t launchers = pythons_.size();
  QPointer<SettingsPage> gone(page);
  page->accept();
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
  PythonPanel* panel = &openPage()->python();
  say(*panel, pythonWith("2.4.1"));
  EXPECT_EQ(panel->message(), "It has torch 2.4.1; Warpbench is built for torch 2.11");
  EXPECT_FALSE(panel->isTaken());
  say(*panel, pythonWith("2.110.0"));
  EXPECT_FALSE(panel->isTaken());
  say(*panel, pythonWith(""));
  EXPECT_TRUE(panel->message().endsWith("(Python 3.11.2) has no torch"));
  screenshot(*panel->window(), "settings-error");
}

TEST_F(SettingsTest, WhatIsNoPythonIsSaid) {
  open();
  PythonPanel* panel = &openPage()->python();
  const auto saysAbout = [&](const QString& path) {
    say(*panel, path);
    EXPECT_FALSE(panel->isTaken()) << path.toStdString();
    return panel->message();
  };
  EXPECT_TRUE(saysAbout("/nowhere/bin/python").contains("/nowhere/bin/python"));
  EXPECT_TRUE(saysAbout("/bin/echo").contains("is not a Python"));
  EXPECT_TRUE(saysAbout(folder()).contains("without bin/python"));
  EXPECT_TRUE(saysAbout(writeFile("text", "no program")).contains("text"));
  EXPECT_TRUE(saysAbout("/bin/false").contains("exit code 1"));
  panel->python().clear();
  ASSERT_TRUE(waitFor([&] { return !panel->asking() && panel->isTaken(); }));
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

TEST_F(SettingsTest, TheThemeIsAppliedAtOnce) {
  open();
  const SettingsPage* page = openPage();
  EXPECT_TRUE(appearance_->theme().dark);
  auto& theme = control<QComboBox>(*page, "theme");
  theme.setFocus();
  QTest::keyClick(&theme, Qt::Key_End);
  EXPECT_FALSE(appearance_->theme().dark);
  EXPECT_EQ(settings_->theme(), ThemeChoice::light);
}

}  // namespace
}  // namespace wb
