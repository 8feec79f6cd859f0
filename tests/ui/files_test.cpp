// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/files.h"

#include <QDragEnterEvent>
#include <QFile>
#include <QMimeData>
#include <QTabBar>
#include <QToolButton>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class FilesTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    open({writeFile("first.cpp", "int first;\n")});
    ASSERT_TRUE(waitFor([this] { return parts().tabs->count() == 1; }));
  }
  [[nodiscard]] Document& current() { return *parts().tabs->current(); }
  void openFile(const QString& path) {
    bool done = false;
    parts().files->open(path, 0, 0, [&](bool) { done = true; });
    ASSERT_TRUE(waitFor([&] { return done; }));
  }
};

TEST_F(FilesTest, OpensFilesOfTheCommandLineAndEachOnlyOnce) {
  EXPECT_EQ(current().text(), "int first;\n");
  EXPECT_EQ(current().languageTitle(), "torch C++");
  openFile(folder() + "/./first.cpp");
  EXPECT_EQ(parts().tabs->count(), 1);
}

TEST_F(FilesTest, SaysWhatIsWrongWithAFileThatCannotBeOpened) {
  openFile(folder() + "/missing.cpp");
  openFile(writeFile("binary.cpp", QByteArray("int\0x;", 6)));
  openFile(writeFile("large.cpp", QByteArray(9 << 20, 'x')));
  ASSERT_EQ(told_.size(), 3u);
  for (const Error& error : told_) EXPECT_FALSE(error.text.empty());
  EXPECT_EQ(parts().tabs->count(), 1);
}

TEST_F(FilesTest, ShowsADotAndSaves) {
  QTest::keyClicks(current().editor().viewport(), "static ");
  EXPECT_TRUE(current().isModified());
  EXPECT_TRUE(window().windowTitle().contains(QStringLiteral("•")));
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !current().isModified(); }));
  EXPECT_EQ(readFile(folder() + "/first.cpp"), "static int first;\n");
}

TEST_F(FilesTest, SaveAsNamesAnUntitledFileAndChoosesItsLanguage) {
  parts().files->createUntitled();
  QTest::keyClicks(current().editor().viewport(), "x");
  saveAsFile_ = folder() + "/new.py";
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return current().title() == "new.py"; }));
  EXPECT_FALSE(readFile(saveAsFile_).isEmpty());
}

TEST_F(FilesTest, AFailedSaveIsToldAndTheTextStaysUnsaved) {
  parts().files->createUntitled();
  QTest::keyClicks(current().editor().viewport(), "x");
  saveAsFile_ = writeFile("file", "") + "/below-a-file.cpp";
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !told_.empty(); }));
  EXPECT_TRUE(current().isModified());
}

TEST_F(FilesTest, ClosingAsksOnlyForWhatIsNotSaved) {
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(parts().tabs->count(), 0);
  EXPECT_EQ(saveQuestions_, 0);
  QTest::keyClicks(edit("a.cpp", "")->editor().viewport(), "x");
  saveAnswer_ = SaveAnswer::cancel;
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(saveQuestions_, 1);
  EXPECT_EQ(parts().tabs->count(), 1);
  saveAnswer_ = SaveAnswer::save;
  saveAsFile_ = folder() + "/a.cpp";
  press(Qt::Key_W, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return parts().tabs->count() == 0; }));
  EXPECT_TRUE(readFile(saveAsFile_).startsWith("x"));
}

TEST_F(FilesTest, MiddleClickClosesAndCtrlTabGoesAround) {
  edit("a.cpp", "");
  edit("b.cpp", "");
  press(Qt::Key_Tab, Qt::ControlModifier);
  EXPECT_EQ(current().title(), "first.cpp");
  press(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(current().title(), "b.cpp");
  QTabBar* bar = parts().tabs->group(0).tabBar();
  QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(1).center());
  EXPECT_EQ(parts().tabs->count(), 2);
}

TEST_F(FilesTest, ReloadsWhatAnotherProgramChanged) {
  writeFile("first.cpp", "int second;\n");
  ASSERT_TRUE(waitFor([this] { return current().text() == "int second;\n"; }));
  EXPECT_FALSE(current().isModified());
  EXPECT_EQ(parts().banner->text(), "");
}

TEST_F(FilesTest, DroppedFilesOpen) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(writeFile("dropped.cu", "// x\n"))});
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &drop);
  EXPECT_TRUE(waitFor([this] { return current().title() == "dropped.cu"; }));
}

TEST_F(FilesTest, SessionBringsTabsAndCursorBack) {
  current().setFocus();
  openFile(writeFile("second.cpp", "1\n2\n3\n4\n"));
  current().editor().goTo(3, 1);
  settings_->setTheme(ThemeChoice::light);
  close();
  open();
  EXPECT_EQ(parts().tabs->count(), 2);
  EXPECT_EQ(current().title(), "second.cpp");
  EXPECT_EQ(current().editor().currentLine(), 3);
  EXPECT_EQ(settings_->theme(), ThemeChoice::light);
  EXPECT_EQ(settings_->recentFiles().value(0), folder() + "/second.cpp");
}

}  // namespace
}  // namespace wb
