// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/find_bar.h"

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/window/command_palette.h"

namespace wb {
namespace {

class FindBarTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    open();
    document_ = edit("a.cpp", "int row = rows;\nint rot = row;\nint last;\n");
  }
  [[nodiscard]] KernelEditor& editor() { return document_->editor(); }
  [[nodiscard]] bool isMarked(long position) {
    return send(editor(), QsciScintilla::SCI_INDICATORVALUEAT, matchIndicator, position) != 0;
  }
  static void type(const char* text) {
    QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(text));
  }
  Document* document_ = nullptr;
};

TEST_F(FindBarTest, FindsWhileTypingFromWhereItBeganAndMarksAll) {
  editor().goTo(2, 1);
  press(Qt::Key_F, Qt::ControlModifier);
  type("r");
  EXPECT_EQ(editor().selectedText(), "r");
  EXPECT_EQ(editor().currentLine(), 2);
  EXPECT_EQ(parts().find->countText(), "3 of 4");
  type("ow");
  EXPECT_EQ(editor().currentLine(), 2);
  EXPECT_EQ(parts().find->countText(), "3 of 3");
  EXPECT_TRUE(isMarked(4) && isMarked(10));
  EXPECT_FALSE(isMarked(0));
  press(Qt::Key_Return);
  EXPECT_EQ(parts().find->countText(), "1 of 3");
  EXPECT_EQ(editor().currentLine(), 1);
  screenshot(window(), "find-bar");
  press(Qt::Key_Escape);
  EXPECT_FALSE(isMarked(4));
  EXPECT_EQ(QApplication::focusWidget(), &editor());
  EXPECT_EQ(editor().selectedText(), "row");
}

TEST_F(FindBarTest, TabGoesFromFindToReplaceAndBothFieldsStay) {
  press(Qt::Key_H, Qt::ControlModifier);
  type("row");
  press(Qt::Key_Tab);
  type("line");
  press(Qt::Key_Escape);
  // The expression that found a match stays, and so does the replacement.
  press(Qt::Key_H, Qt::ControlModifier);
  const auto fields = parts().find->findChildren<QLineEdit*>();
  EXPECT_EQ(fields[0]->text(), "row");
  EXPECT_EQ(fields[1]->text(), "line");
  press(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(document_->text(), "int line = lines;\nint rot = line;\nint last;\n");
  EXPECT_EQ(parts().find->countText(), "3 replaced");
}

TEST_F(FindBarTest, AnExpressionStaysWhenReplaceIsAskedForAfterFind) {
  press(Qt::Key_F, Qt::ControlModifier);
  press(Qt::Key_X, Qt::AltModifier);
  type("ro(");
  EXPECT_EQ(parts().find->countText(), "not an expression");
  type("w|t)");
  EXPECT_EQ(editor().selectedText(), "row");
  press(Qt::Key_H, Qt::ControlModifier);
  EXPECT_EQ(parts().find->findChildren<QLineEdit*>()[0]->text(), "ro(w|t)");
}

TEST_F(FindBarTest, UpAndDownWalkThroughWhatWasFound) {
  press(Qt::Key_F, Qt::ControlModifier);
  for (const char* each : {"rows", "last"}) {
    parts().find->findChildren<QLineEdit*>()[0]->selectAll();
    type(each);
    press(Qt::Key_Return);
  }
  auto* field = parts().find->findChildren<QLineEdit*>()[0];
  press(Qt::Key_Up);
  EXPECT_EQ(field->text(), "rows");
  press(Qt::Key_Down);
  EXPECT_EQ(field->text(), "last");
  EXPECT_EQ(settings_->text("find/history"), "last\nrows");
}

TEST_F(FindBarTest, TypingInTheTextKeepsTheCountRight) {
  press(Qt::Key_F, Qt::ControlModifier);
  type("row");
  editor().setFocus();
  editor().goTo(1, 1);
  QTest::keyClicks(editor().viewport(), "row ");
  EXPECT_TRUE(waitFor([this] { return parts().find->countText() == "4 matches"; }));
}

TEST_F(FindBarTest, GoesToALineFromThePalette) {
  press(Qt::Key_G, Qt::ControlModifier);
  CommandPalette& palette = window().palettePopup();
  ASSERT_TRUE(palette.isVisible());
  QTest::keyClicks(&palette.input(), "2:5");
  EXPECT_EQ(palette.list().item(0)->text(), "Go to line 2, column 5");
  QTest::keyClick(&palette.input(), Qt::Key_Return);
  EXPECT_FALSE(palette.isVisible());
  EXPECT_EQ(editor().currentLine(), 2);
  EXPECT_EQ(editor().currentColumn(), 5);
  EXPECT_EQ(QApplication::focusWidget(), &editor());
}

}  // namespace
}  // namespace wb
