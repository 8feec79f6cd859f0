// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text_shape.h"

#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

TEST(TextShape, LineEndsAreThoseOfMostLines) {
  EXPECT_EQ(lineEndsOf("a\nb\n"), (LineEnds{QsciScintilla::EolUnix, false}));
  EXPECT_EQ(lineEndsOf("a\r\nb\r\n"), (LineEnds{QsciScintilla::EolWindows, false}));
  EXPECT_EQ(lineEndsOf("a\rb\r"), (LineEnds{QsciScintilla::EolMac, false}));
  EXPECT_EQ(lineEndsOf("a\r\nb\r\nc\n"), (LineEnds{QsciScintilla::EolWindows, true}));
  EXPECT_EQ(lineEndsOf(""), LineEnds{});
}

TEST(TextShape, IndentationIsReadFromTheText) {
  EXPECT_EQ(indentOf("int f() {\n  if (a) {\n    b();\n  }\n}\n"), (Indent{false, 2}));
  EXPECT_EQ(indentOf("def f():\n    return 1\n"), (Indent{false, 4}));
  EXPECT_EQ(indentOf("int f() {\n\treturn 1;\n}\n"), (Indent{true, 4}));
  EXPECT_EQ(indentOf("int f() {\n}\n"), std::nullopt);
}

class TextShapeInEditor : public EditorTest {};

TEST_F(TextShapeInEditor, EnterWritesTheLineEndOfTheFile) {
  show("int a;\r\nint b;\r\n");
  editor.goTo(1, 7);
  key(Qt::Key_Return);
  EXPECT_EQ(editor.text(), "int a;\r\n\r\nint b;\r\n");
  type("void f() {");
  key(Qt::Key_Return);
  editor.duplicateLines();
  EXPECT_FALSE(lineEndsOf(editor.text()).mixed) << editor.text().toStdString();
  EXPECT_TRUE(editor.find("^int b;$", true, true, false, true));
  EXPECT_EQ(editor.replaceAll("int b;", "int\\nb;", true, true, false), 1);
  EXPECT_FALSE(lineEndsOf(editor.text()).mixed);
}

TEST_F(TextShapeInEditor, ConvertingTheLineEndsIsOneStepBack) {
  show("a\r\nb\n");
  EXPECT_TRUE(editor.lineEnds().mixed);
  editor.convertLineEnds(QsciScintilla::EolUnix);
  EXPECT_EQ(editor.text(), "a\nb\n");
  EXPECT_EQ(editor.lineEnds(), (LineEnds{QsciScintilla::EolUnix, false}));
  editor.undo();
  EXPECT_EQ(editor.text(), "a\r\nb\n");
}

TEST_F(TextShapeInEditor, ANewLineIsIndentedAsTheTextIs) {
  show("int f() {\n  if (a) {\n    b();\n  }\n}\n");
  editor.goTo(5, 2);
  key(Qt::Key_Return);
  type("void g() {");
  key(Qt::Key_Return);
  EXPECT_TRUE(editor.text().contains("void g() {\n  \n}")) << editor.text().toStdString();
}

TEST_F(TextShapeInEditor, AltWithALetterTypesNothing) {
  show("int a;\n");
  QTest::keyClick(&editor, '1', Qt::AltModifier);
  QTest::keyClick(&editor, 'x', Qt::AltModifier);
  EXPECT_EQ(editor.text(), "int a;\n");
  QTest::keyClick(&editor, '{', Qt::AltModifier | Qt::ControlModifier);  // AltGr on some keyboards
  EXPECT_TRUE(editor.text().startsWith("{"));
}

TEST_F(TextShapeInEditor, OptionsHoldForTextsThatDoNotShowTheirOwn) {
  EditorOptions options;
  options.wrap = true;
  options.indent = {false, 3};
  editor.setOptions(options);
  show("int a;\n");
  EXPECT_EQ(editor.indentationWidth(), 3);
  EXPECT_EQ(editor.wrapMode(), QsciScintilla::WrapWord);
  editor.setText("def f():\n  return 1\n");
  EXPECT_EQ(editor.indentationWidth(), 2);
}

}  // namespace
}  // namespace wb
