// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <cstdio>

#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

class Search : public EditorTest {
 protected:
  /// Where the selection starts and ends, as "line:column-line:column" from 0.
  [[nodiscard]] QString selection() {
    int a = 0, b = 0, c = 0, d = 0;
    editor.getSelection(&a, &b, &c, &d);
    return QStringLiteral("%1:%2-%3:%4").arg(a).arg(b).arg(c).arg(d);
  }
};

TEST_F(Search, ForwardThenWrapsToTheStart) {
  show("one two\ntwo three\n");
  EXPECT_TRUE(editor.find("two", false, true, false, true));
  EXPECT_EQ(selection(), "0:4-0:7");
  EXPECT_TRUE(editor.find("two", false, true, false, true));
  EXPECT_EQ(selection(), "1:0-1:3");
  EXPECT_TRUE(editor.find("two", false, true, false, true));
  EXPECT_EQ(selection(), "0:4-0:7");
}

TEST_F(Search, BackwardWrapsToTheEnd) {
  show("two one two\n");
  EXPECT_TRUE(editor.find("two", false, true, false, false));
  EXPECT_EQ(selection(), "0:8-0:11");
  EXPECT_TRUE(editor.find("two", false, true, false, false));
  EXPECT_EQ(selection(), "0:0-0:3");
}

TEST_F(Search, NoMatchIsFalseAndLeavesTheSelection) {
  show("alpha\n");
  editor.setSelection(0, 1, 0, 3);
  EXPECT_FALSE(editor.find("beta", false, true, false, true));
  EXPECT_EQ(selection(), "0:1-0:3");
  EXPECT_FALSE(editor.find("", false, true, false, true));
}

TEST_F(Search, CaseAndWholeWordsCount) {
  show("Sum sum summary SUM sum_x\n");
  EXPECT_EQ(editor.countMatches("sum", false, false, false), 5);
  EXPECT_EQ(editor.countMatches("sum", false, true, false), 3);
  EXPECT_EQ(editor.countMatches("sum", false, false, true), 3);
  EXPECT_EQ(editor.countMatches("sum", false, true, true), 1);
}

TEST_F(Search, PlainTextIsNoExpression) {
  show("a.b a+b (a\n");
  EXPECT_EQ(editor.countMatches("a.b", false, true, false), 1);
  EXPECT_EQ(editor.countMatches("a.b", true, true, false), 2);
  EXPECT_EQ(editor.countMatches("(a", false, true, false), 1);
}

TEST_F(Search, AnInvalidExpressionFindsNothingAndSaysWhy) {
  show("(a\n");
  EXPECT_FALSE(editor.find("(a", true, true, false, true));
  EXPECT_EQ(editor.countMatches("(a", true, true, false), 0);
  EXPECT_EQ(editor.replaceAll("(a", "b", true, true, false), 0);
  EXPECT_FALSE(KernelEditor::regexError("(a").isEmpty());
  EXPECT_TRUE(KernelEditor::regexError("(a)").isEmpty());
}

TEST_F(Search, AnchorsMeanLinesAndEmptyMatchesAreSkipped) {
  show("x1\nx2\ny\n");
  EXPECT_EQ(editor.countMatches("^x\\d$", true, true, false), 2);
  EXPECT_EQ(editor.countMatches("z*", true, true, false), 0);
}

TEST_F(Search, BytesAndCharactersDifferButMatchesAreRight) {
  show(QString::fromUtf8("µ × α = 1; find α\n"));
  EXPECT_TRUE(editor.find(QString::fromUtf8("find"), false, true, false, true));
  EXPECT_EQ(editor.selectedText(), "find");
  EXPECT_EQ(editor.currentColumn(), 16);
  EXPECT_EQ(editor.replaceAll(QString::fromUtf8("α"), "alpha", false, true, false), 2);
  EXPECT_EQ(editor.text(), QString::fromUtf8("µ × alpha = 1; find alpha\n"));
}

TEST_F(Search, ReplaceAllCountsAndIsOneUndoStep) {
  const QString before = "a b a\nc a\n";
  show(before);
  editor.setModified(false);
  QSignalSpy changed(&editor, &QsciScintilla::textChanged);
  QSignalSpy modified(&editor, &QsciScintilla::modificationChanged);
  EXPECT_EQ(editor.replaceAll("a", "xyz", false, true, false), 3);
  EXPECT_EQ(editor.text(), "xyz b xyz\nc xyz\n");
  EXPECT_GE(changed.size(), 1);
  ASSERT_GE(modified.size(), 1);
  EXPECT_TRUE(modified.last().first().toBool());
  editor.undo();
  EXPECT_EQ(editor.text(), before);
  EXPECT_FALSE(editor.isUndoAvailable() && editor.isModified());
}

TEST_F(Search, UndoAndRedoByTheirKeysTellAboutIt) {
  show("a a\n");
  editor.setModified(false);
  editor.replaceAll("a", "b", false, true, false);
  QSignalSpy changed(&editor, &QsciScintilla::textChanged);
  QSignalSpy modified(&editor, &QsciScintilla::modificationChanged);
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(editor.text(), "a a\n");
  EXPECT_EQ(changed.size(), 1);
  ASSERT_EQ(modified.size(), 1);
  EXPECT_FALSE(modified.first().first().toBool());
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(editor.text(), "b b\n");
  key(Qt::Key_Z, Qt::ControlModifier);
  key(Qt::Key_Y, Qt::ControlModifier);
  EXPECT_EQ(editor.text(), "b b\n");
}

TEST_F(Search, ReplacementsTakeGroups) {
  show("f(a, b) f(c, d)\n");
  EXPECT_EQ(editor.replaceAll("f\\((\\w), (\\w)\\)", "g(\\2, $1)\\n", true, true, false), 2);
  EXPECT_EQ(editor.text(), "g(b, a)\n g(d, c)\n\n");
  EXPECT_EQ(editor.replaceAll("g", "$1\\n", false, true, false), 2);
  EXPECT_TRUE(editor.text().startsWith("$1\\n(b"));
}

TEST_F(Search, ReplaceCurrentTakesTheSelectionAndGoesOn) {
  show("a a a\n");
  EXPECT_FALSE(editor.replaceCurrent("a", "b", false, true, false));
  EXPECT_EQ(selection(), "0:0-0:1");
  EXPECT_TRUE(editor.replaceCurrent("a", "b", false, true, false));
  EXPECT_EQ(editor.text(), "b a a\n");
  EXPECT_EQ(selection(), "0:2-0:3");
}

TEST_F(Search, AReadOnlyTextIsNotReplaced) {
  show("a\n");
  editor.setReadOnly(true);
  EXPECT_EQ(editor.replaceAll("a", "b", false, true, false), 0);
  EXPECT_EQ(editor.text(), "a\n");
}

TEST_F(Search, GoToIsClampedAndKeepsOffTheMiddleOfACharacter) {
  show(QString::fromUtf8("ab\nµm\n"));
  editor.goTo(1, 2);
  EXPECT_EQ(editor.currentLine(), 1);
  EXPECT_EQ(editor.currentColumn(), 2);
  editor.goTo(2, 3);  // bytes: µ has two
  EXPECT_EQ(editor.currentColumn(), 2);
  editor.goTo(99, 99);
  EXPECT_EQ(editor.currentLine(), 3);
  editor.goTo(0, 0);
  EXPECT_EQ(editor.currentLine(), 1);
  EXPECT_EQ(editor.currentColumn(), 1);
}

TEST_F(Search, ABigFileIsReplacedInOneStep) {
  QString text;
  for (int i = 0; i < 20000; ++i)
    text += QStringLiteral("    float value_%1 = input[%1] * scale + bias;\n").arg(i);
  show(text);
  QElapsedTimer timer;
  timer.start();
  EXPECT_EQ(editor.replaceAll("bias", "offset", false, true, true), 20000);
  const double replaced = static_cast<double>(timer.nsecsElapsed()) / 1e6;
  timer.restart();
  editor.undo();
  const double undone = static_cast<double>(timer.nsecsElapsed()) / 1e6;
  EXPECT_EQ(editor.text(), text);
  std::printf("20,000 replacements in %.0f KB: %.0f ms, undo %.0f ms\n",
              static_cast<double>(text.size()) / 1024, replaced, undone);
}

}  // namespace
}  // namespace wb
