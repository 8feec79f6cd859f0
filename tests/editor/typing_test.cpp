// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include "editor/input/caret_rest.h"
#include "editor/scintilla.h"
#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

class Typing : public EditorTest {};

TEST_F(Typing, CommentIsToggledOnTheLine) {
  show("    int a;\n");
  key(Qt::Key_Slash, Qt::ControlModifier);
  EXPECT_EQ(editor.text(), "    // int a;\n");
  key(Qt::Key_Slash, Qt::ControlModifier);
  EXPECT_EQ(editor.text(), "    int a;\n");
}

TEST_F(Typing, CommentOfABlockKeepsItsShapeAndIsOneUndoStep) {
  const QString before = "  if (a) {\n    b;\n\n  }\nlast\n";
  show(before);
  editor.setSelection(0, 0, 4, 0);
  editor.toggleComment();
  EXPECT_EQ(editor.text(), "  // if (a) {\n  //   b;\n\n  // }\nlast\n");
  editor.undo();
  EXPECT_EQ(editor.text(), before);
}

TEST_F(Typing, PythonCommentsWithAHash) {
  show("a = 1\n", "python");
  editor.toggleComment();
  EXPECT_EQ(editor.text(), "# a = 1\n");
}

TEST_F(Typing, LinesMoveAndDuplicate) {
  show("one\ntwo\nthree\n");
  editor.setCursorPosition(1, 1);
  key(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(editor.text(), "two\none\nthree\n");
  key(Qt::Key_Down, Qt::AltModifier);
  EXPECT_EQ(editor.text(), "one\ntwo\nthree\n");
  key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(editor.text(), "one\ntwo\ntwo\nthree\n");
  EXPECT_EQ(editor.currentLine(), 3);
}

TEST_F(Typing, TheNextOccurrenceGetsACaretOfItsOwn) {
  show("val = val + val2;\n");
  editor.setCursorPosition(0, 1);
  key(Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(editor.selectedText(), "val");
  key(Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(editor.SendScintilla(QsciScintilla::SCI_GETSELECTIONS), 2);
  type("x");
  EXPECT_TRUE(editor.text().startsWith("x = x"));
}

TEST_F(Typing, BracketsCloseAreTypedOverAndRemovedTogether) {
  show("");
  type("f(");
  EXPECT_EQ(editor.text(), "f()");
  type(")");
  EXPECT_EQ(editor.text(), "f()");
  EXPECT_EQ(editor.currentColumn(), 4);
  type("[");
  EXPECT_EQ(editor.text(), "f()[]");
  key(Qt::Key_Backspace);
  EXPECT_EQ(editor.text(), "f()");
}

TEST_F(Typing, BracketsDoNotCloseBeforeAWord) {
  show("word");
  editor.setCursorPosition(0, 0);
  type("(");
  EXPECT_EQ(editor.text(), "(word");
}

TEST_F(Typing, ApostrophesInCommentsAndAfterLettersStaySingle) {
  show("// don");
  editor.setCursorPosition(0, 6);
  type("'");
  EXPECT_EQ(editor.text(), "// don'");
  type(" (");
  EXPECT_EQ(editor.text(), "// don' (");
}

TEST_F(Typing, ASelectionIsWrapped) {
  show("a + b");
  editor.setSelection(0, 0, 0, 5);
  type("(");
  EXPECT_EQ(editor.text(), "(a + b)");
  EXPECT_EQ(editor.selectedText(), "a + b");
}

TEST_F(Typing, EnterBetweenBracesOpensABlock) {
  show("    for (;;) ");
  editor.setCursorPosition(0, 13);
  type("{");
  key(Qt::Key_Return);
  EXPECT_EQ(editor.text(), "    for (;;) {\n        \n    }");
  EXPECT_EQ(editor.currentLine(), 2);
  EXPECT_EQ(editor.currentColumn(), 9);
}

TEST_F(Typing, EnterKeepsTheIndent) {
  show("    int a;");
  editor.setCursorPosition(0, 10);
  key(Qt::Key_Return);
  EXPECT_EQ(editor.text(), "    int a;\n    ");
}

TEST_F(Typing, TabInsertsFourSpaces) {
  show("");
  key(Qt::Key_Tab);
  EXPECT_EQ(editor.text(), "    ");
}

TEST_F(Typing, FilesDraggedInAreLeftToTheWindowAndTextIsNot) {
  show("int a;\n");
  const auto accepted = [this](const QMimeData& data) {
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.setAccepted(false);
    QCoreApplication::sendEvent(editor.viewport(), &enter);
    return enter.isAccepted();
  };
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile("/nowhere/k.cu")});
  EXPECT_FALSE(accepted(files));
  QMimeData text;
  text.setText("more");
  EXPECT_TRUE(accepted(text));
}

TEST_F(Typing, TheCaretRestsWhenNobodyTypesAndBlinksWithTheNextKey) {
  const auto blinks = [this] { return send(editor, QsciScintillaBase::SCI_GETCARETPERIOD) > 0; };
  ASSERT_TRUE(blinks());
  new CaretRest(editor, std::chrono::milliseconds{1});
  show("int a;\n");
  QTest::keyClick(&editor, Qt::Key_X);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !blinks(); }));
  QTest::keyClick(&editor, Qt::Key_Y);
  EXPECT_TRUE(blinks());
  EXPECT_TRUE(QTest::qWaitFor([&] { return !blinks(); }));
  QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, QPoint(60, 10));
  EXPECT_TRUE(blinks());
}

// What a screen reader asks has QScintilla count the characters before the caret at each painting.
TEST_F(Typing, WithoutAScreenReaderNothingIsKeptForOne) {
  show("int a;\n");
  ASSERT_FALSE(QAccessible::isActive());
  QAccessibleInterface* asked = QAccessible::queryAccessibleInterface(&editor);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->role(), QAccessible::EditableText);
  const QAccessible::Id id = QAccessible::uniqueId(asked);
  EXPECT_TRUE(QAccessible::accessibleInterface(id));
  editor.viewport()->repaint();
  EXPECT_FALSE(QAccessible::accessibleInterface(id));
}

}  // namespace
}  // namespace wb
