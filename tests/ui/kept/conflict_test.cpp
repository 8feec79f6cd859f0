// SPDX-License-Identifier: GPL-3.0-or-later
// Files that other programs delete and change while they are open, and disks that take nothing more.
#include <sys/resource.h>

#include <QAbstractItemModelTester>
#include <QFile>
#include <QListView>
#include <QPushButton>
#include <csignal>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/diff/conflict_dialog.h"
#include "ui/diff/diff_model.h"
#include "ui/diff/diff_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"
#include "ui/editing/files.h"
#include "ui/results/run_figures.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class ConflictTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    file_ = writeFile("kernel.cpp", "one\ntwo\nthree\n");
    open({file_});
    ASSERT_TRUE(waitFor([this] { return parts().tabs->withPath(file_) != nullptr; }));
  }
  [[nodiscard]] Document& document() { return *parts().tabs->withPath(file_); }
  void type(const char* text) { QTest::keyClicks(document().editor().viewport(), text); }
  bool waitForState(OnDisk state) {
    return waitFor([&] { return document().onDisk() == state; });
  }
  QString file_;
};

TEST_F(ConflictTest, ADeletedFileIsMarkedAndItsTextIsNotDroppedInSilence) {
  QFile::remove(file_);
  ASSERT_TRUE(waitForState(OnDisk::gone));
  EXPECT_TRUE(document().isModified());
  EXPECT_EQ(parts().tabs->activeGroup().tabText(0), "kernel.cpp (deleted)");
  EXPECT_TRUE(parts().banner->text().contains("deleted")) << parts().banner->text().toStdString();
  screenshot(window(), "deleted-on-disk");
  saveAnswer_ = SaveAnswer::cancel;
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(saveQuestions_, 1);
  EXPECT_EQ(parts().tabs->count(), 1);
  parts().banner->findChild<QPushButton*>()->click();  // Save again
  ASSERT_TRUE(waitForState(OnDisk::same));
  EXPECT_EQ(readFile(file_), "one\ntwo\nthree\n");
  EXPECT_FALSE(document().isModified());
  EXPECT_EQ(parts().banner->text(), "");
}

TEST_F(ConflictTest, AFileThatComesBackAsItWasIsNoNews) {
  QFile::rename(file_, folder() + "/away");
  ASSERT_TRUE(waitForState(OnDisk::gone));
  QFile::rename(folder() + "/away", file_);
  ASSERT_TRUE(waitForState(OnDisk::same));
  EXPECT_FALSE(document().isModified());
}

TEST_F(ConflictTest, AFileThatBecomesAFolderCountsAsGone) {
  QFile::remove(file_);
  ASSERT_TRUE(QDir().mkpath(file_));
  ASSERT_TRUE(waitForState(OnDisk::gone));
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return told_.size() == 1; }));
  EXPECT_TRUE(document().isModified());
}

TEST_F(ConflictTest, WhatWasChangedHereAndThereIsNeverOverwrittenUnseen) {
  type("mine ");
  writeFile("kernel.cpp", "one\ntwo\nTHREE\n");
  ASSERT_TRUE(waitForState(OnDisk::changed));
  EXPECT_EQ(document().text(), "mine one\ntwo\nthree\n");
  EXPECT_TRUE(parts().banner->text().contains("Another program"));
  press(Qt::Key_S, Qt::ControlModifier);  // asks, and is put off
  ASSERT_TRUE(waitFor([this] { return conflicts_.size() == 1; }));
  EXPECT_EQ(conflicts_[0].mine, "mine one\ntwo\nthree\n");
  EXPECT_EQ(conflicts_[0].theirs, "one\ntwo\nTHREE\n");
  EXPECT_EQ(readFile(file_), "one\ntwo\nTHREE\n");
  resolveAnswer_ = "mine one\ntwo\nTHREE\n";
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !document().isModified(); }));
  EXPECT_EQ(readFile(file_), "mine one\ntwo\nTHREE\n");
  EXPECT_EQ(document().text(), "mine one\ntwo\nTHREE\n");
  EXPECT_EQ(parts().banner->text(), "");
}

TEST_F(ConflictTest, TheirsIsTakenWithoutASave) {
  type("mine ");
  writeFile("kernel.cpp", "theirs\n");
  ASSERT_TRUE(waitForState(OnDisk::changed));
  resolveAnswer_ = "theirs\n";
  parts().banner->findChild<QPushButton*>()->click();  // Compare
  EXPECT_EQ(document().text(), "theirs\n");
  EXPECT_FALSE(document().isModified());
}

TEST_F(ConflictTest, TheBannerGoesWithItsTab) {
  QFile::remove(file_);
  ASSERT_TRUE(waitForState(OnDisk::gone));
  const int height = document().height();
  EXPECT_FALSE(parts().banner->isHidden());
  edit("other.cpp", "int x;\n");
  EXPECT_EQ(parts().banner->text(), "");
  parts().tabs->setCurrent(&document());
  EXPECT_FALSE(parts().banner->isHidden());
  EXPECT_EQ(document().height(), height) << "it moves nothing";
  saveAnswer_ = SaveAnswer::discard;
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(parts().banner->text(), "");
}

TEST_F(ConflictTest, AFullDiskIsSaidAndTheTextStays) {
  type("mine ");
  // A limit of 4 bytes a file stands for a disk that takes nothing more.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tiny{4, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  press(Qt::Key_S, Qt::ControlModifier);
  const bool told = waitFor([this] { return !told_.empty(); });
  const bool warned = waitFor([this] { return parts().banner->text().contains("cannot be kept safe"); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_TRUE(told);
  EXPECT_TRUE(warned) << "the journal failed too";
  EXPECT_TRUE(document().isModified());
  EXPECT_EQ(readFile(file_), "one\ntwo\nthree\n") << "the file is as it was";
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !document().isModified(); }));
}

TEST(DiffModelTest, ShowsHunksWithSomeLinesAroundAndMergesWhatIsTaken) {
  std::string mine, theirs;
  for (int i = 1; i <= 40; ++i) {
    mine += "line " + std::to_string(i) + "\n";
    if (i == 20) continue;
    theirs += i == 5 ? "LINE 5\n" : "line " + std::to_string(i) + "\n";
  }
  DiffModel model(mine, theirs);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(model.hunkCount(), 2);
  EXPECT_EQ(model.merged(), mine);
  QStringList all;
  for (int row = 0; row < model.rowCount(); ++row) all.push_back(model.index(row).data().toString());
  EXPECT_EQ(all.filter("the same").size(), 2) << all.join("\n").toStdString();
  EXPECT_LT(all.size(), 25);
  model.setTaken(0, true);
  EXPECT_TRUE(QString::fromStdString(model.merged()).contains("LINE 5\n"));
  EXPECT_TRUE(QString::fromStdString(model.merged()).contains("line 20\n"));
  model.setAllTaken(true);
  EXPECT_EQ(model.merged(), theirs);
  EXPECT_TRUE(model.setData(model.index(model.rowOfHunk(1)), Qt::Unchecked, Qt::CheckStateRole));
  EXPECT_EQ(model.takenCount(), 1);
}

class ConflictDialogTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    appearance_ = std::make_unique<Appearance>(*qApp, ThemeChoice::dark);
    dialog_ = std::make_unique<ConflictDialog>("kernel.cpp", "one\ntwo\nthree\nfour\n",
                                               "one\nzwei\nthree\nfour\nfive\n");
    QObject::connect(dialog_.get(), &ConflictDialog::resolved,
                     [this](const QString& text) { chosen_ = text; });
    dialog_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog_.get()));
  }
  void TearDown() override {
    dialog_.reset();
    WindowTest::TearDown();
  }
  std::unique_ptr<ConflictDialog> dialog_;
  QString chosen_;
};

TEST_F(ConflictDialogTest, IsMergedByKeysAlone) {
  EXPECT_FALSE(dialog_->mergeButton().isEnabled());
  QTest::keyClick(&dialog_->view(), Qt::Key_N);
  QTest::keyClick(&dialog_->view(), Qt::Key_Space);
  screenshot(*dialog_, "conflict");
  EXPECT_EQ(dialog_->model().takenCount(), 1);
  QTest::keyClick(&dialog_->mergeButton(), Qt::Key_Space);
  EXPECT_EQ(chosen_, "one\ntwo\nthree\nfour\nfive\n");
}

TEST_F(ConflictDialogTest, KeepsMineAndTakesTheirs) {
  dialog_->keepButton().click();
  EXPECT_EQ(chosen_, "one\ntwo\nthree\nfour\n");
  dialog_->takeButton().click();
  EXPECT_EQ(chosen_, "one\nzwei\nthree\nfour\nfive\n");
}

using ExportNames = test::WindowTest;

TEST_F(ExportNames, AreOfKernelAndTimeAndNothingIsOverwrittenUnasked) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  ExportDialog dialog(window().controller().figures()->report, *settings_);
  EXPECT_TRUE(
      QRegularExpression("/relu-\\d{4}-\\d\\d-\\d\\d-\\d{6}\\.html$").match(dialog.file().text()).hasMatch())
      << dialog.file().text().toStdString();
  const QString file = writeFile("mine.html", "yesterday");
  dialog.file().setText(file);
  bool asked = false, written = false;
  QObject::connect(&dialog, &ExportDialog::replaceAsked, [&] { asked = true; });
  QObject::connect(&dialog, &ExportDialog::written, [&] { written = true; });
  dialog.exportButton().click();
  ASSERT_TRUE(waitFor([&] { return asked; }));
  EXPECT_EQ(readFile(file), "yesterday");
  EXPECT_EQ(dialog.exportButton().text(), "Replace");
  QTest::keyClicks(&dialog.file(), "x");
  EXPECT_EQ(dialog.exportButton().text(), "Export");
  dialog.file().setText(file);
  asked = false;
  dialog.exportButton().click();
  ASSERT_TRUE(waitFor([&] { return asked; }));
  dialog.exportButton().click();
  ASSERT_TRUE(waitFor([&] { return written; }));
  EXPECT_NE(readFile(file), "yesterday");
}

}  // namespace
}  // namespace wb
