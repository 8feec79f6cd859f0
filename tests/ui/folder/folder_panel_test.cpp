// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder/folder_panel.h"

#include <QApplication>
#include <QDir>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QTreeView>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"

namespace wb {
namespace {

class FolderPanelTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(QDir(folder()).mkpath("src"));
    writeFile("src/b.cu", "float b;\n");
    open({writeFile("src/a.cpp", "int a;\n")});
    ASSERT_TRUE(waitFor([this] { return parts().tabs->count() == 1; }));
    press(Qt::Key_B, Qt::ControlModifier);
    panel_ = window().findChild<FolderPanel*>();
    ASSERT_NE(panel_, nullptr);
    ASSERT_TRUE(waitFor([this] { return panel_->model().rowCount(panel_->view().rootIndex()) == 2; }));
  }
  void choose(const QString& name) {
    panel_->view().setCurrentIndex(panel_->model().index(folder() + "/src/" + name));
    panel_->view().setFocus();
  }
  FolderPanel* panel_ = nullptr;
};

TEST_F(FolderPanelTest, ShowsTheFolderOfTheKernelAndOpensWithEnter) {
  EXPECT_EQ(panel_->folder(), folder() + "/src");
  EXPECT_EQ(panel_->view().currentIndex().data().toString(), "a.cpp");
  choose("b.cu");
  screenshot(window(), "folder");
  press(Qt::Key_Return);
  ASSERT_TRUE(waitFor([this] { return parts().tabs->current()->title() == "b.cu"; }));
  press(Qt::Key_B, Qt::ControlModifier);
  press(Qt::Key_B, Qt::ControlModifier);
  EXPECT_FALSE(panel_->isVisible());
  EXPECT_EQ(QApplication::focusWidget(), &parts().tabs->current()->editor());
}

TEST_F(FolderPanelTest, AnOpenDocumentGoesWithItsRenamedFile) {
  Document& document = *parts().tabs->current();
  QTest::keyClicks(document.editor().viewport(), "x");
  choose("a.cpp");
  press(Qt::Key_F2);
  auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  ASSERT_NE(field, nullptr);
  field->setText("c.cpp");
  QTest::keyClick(field, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return document.title() == "c.cpp"; }));
  EXPECT_EQ(document.path(), folder() + "/src/c.cpp");
  EXPECT_TRUE(document.isModified());
  EXPECT_EQ(readFile(folder() + "/src/c.cpp"), "int a;\n");
}

}  // namespace
}  // namespace wb
