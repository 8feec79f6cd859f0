// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "tests/ui/window_test.h"
#include "ui/assembly/assembly_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"

namespace wb {
namespace {

class SplitTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    open({writeFile("first.cpp", "int first;\nint second;\nint third;\n")});
    ASSERT_TRUE(waitFor([this] { return area().count() == 1; }));
  }
  [[nodiscard]] EditorArea& area() { return *parts().tabs; }
  [[nodiscard]] KernelEditor& focused() { return *qobject_cast<KernelEditor*>(QApplication::focusWidget()); }
  void splitWithKey() { press(Qt::Key_Backslash, Qt::ControlModifier); }
  void type(const char* keys) { QTest::keyClicks(focused().viewport(), QString::fromLatin1(keys)); }
};

TEST_F(SplitTest, ShowsTheSameTextTwiceWithTwoPlaces) {
  Document& document = *area().current();
  KernelEditor& left = document.editor();
  splitWithKey();
  ASSERT_TRUE(area().isSplit());
  KernelEditor& right = document.editor();
  EXPECT_NE(&left, &right);
  EXPECT_EQ(&focused(), &right);
  EXPECT_EQ(area().count(), 1);
  EXPECT_EQ(area().current(), &document);
  right.goTo(3, 1);
  EXPECT_EQ(left.currentLine(), 1);
  type("x");
  EXPECT_EQ(left.text(3 - 1), "xint third;\n");
  EXPECT_TRUE(document.isModified());
  press(Qt::Key_Right, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(&focused(), &left);
  EXPECT_EQ(&document.editor(), &left);
  press(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(right.text(3 - 1), "int third;\n");
  EXPECT_FALSE(document.isModified());
}

TEST_F(SplitTest, ClosingTheSecondViewAsksNothingAndKeepsTheColours) {
  Document& document = *area().current();
  type("static ");
  const auto styleAtStart = [&] {
    send(document.editor(), QsciScintilla::SCI_COLOURISE, 0, -1);
    return send(document.editor(), QsciScintilla::SCI_GETSTYLEAT, 0);
  };
  const long before = styleAtStart();
  ASSERT_NE(before, 0);
  splitWithKey();
  EXPECT_EQ(send(document.editor(), QsciScintilla::SCI_GETSTYLEAT, 0), before);
  press(Qt::Key_W, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !area().group(1).isVisible(); }));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_EQ(saveQuestions_, 0);
  EXPECT_EQ(area().count(), 1);
  EXPECT_TRUE(document.isModified());
  EXPECT_EQ(send(document.editor(), QsciScintilla::SCI_GETSTYLEAT, 0), before);
  EXPECT_EQ(&focused(), &document.editor());
}

TEST_F(SplitTest, ATabGoesToTheOtherSideAndBack) {
  Document* second = edit("second.py", "import torch\n");
  const Qt::KeyboardModifiers move = Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier;
  press(Qt::Key_Right, move);
  ASSERT_TRUE(area().isSplit());
  EXPECT_EQ(area().current(), second);
  EXPECT_EQ(area().group(0).count(), 1);
  screenshot(window(), "editor-split");
  // New documents come where the user is.
  const Document* third = edit("third.cu", "");
  EXPECT_EQ(area().group(1).documents().back(), third);
  area().setCurrent(area().documents().front());
  EXPECT_EQ(area().current()->title(), "first.cpp");
  EXPECT_TRUE(area().activeGroup().isAncestorOf(area().current()));
  press(Qt::Key_Left, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_FALSE(area().isSplit());
  EXPECT_EQ(area().group(0).count(), 3);
  EXPECT_EQ(area().current()->title(), "first.cpp");
}

TEST_F(SplitTest, WhatIsOnTheRightComesToTheLeftWhenThatIsEmpty) {
  Document* first = area().current();
  edit("second.py", "import torch\n");
  area().moveToOtherSide();
  area().setCurrent(first);
  first->setFocus();
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_FALSE(area().isSplit());
  ASSERT_EQ(area().count(), 1);
  EXPECT_EQ(area().current()->title(), "second.py");
}

TEST_F(SplitTest, ClosingADocumentClosesItsSecondView) {
  splitWithKey();
  area().goToOtherSide();
  press(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(area().count(), 0);
  EXPECT_FALSE(area().isSplit());
  EXPECT_EQ(area().current(), nullptr);
}

TEST_F(SplitTest, MessagesStandInBothViewsAndBelongToTheDocument) {
  Document& document = *area().current();
  KernelEditor& left = document.editor();
  splitWithKey();
  Diagnostic wrong;
  wrong.severity = Severity::error;
  wrong.message = "no such type";
  wrong.place.line = 2;
  wrong.place.column = 1;
  document.editor().setDiagnostics({wrong});
  EXPECT_EQ(left.diagnosticCount(), 1);
  EXPECT_EQ(document.editor().annotation(1), left.annotation(1));
  EXPECT_FALSE(left.annotation(1).isEmpty());
  document.editor().goTo(2, 1);
  type("x");
  ASSERT_TRUE(waitFor([&] { return left.diagnosticCount() == 0; }));
}

TEST_F(SplitTest, ASideViewStandsAtTheRightOfTheEditors) {
  auto* assembly = window().findChild<AssemblyView*>();
  ASSERT_NE(assembly, nullptr);
  EXPECT_FALSE(area().isSideViewShown());
  area().showSideView(true);
  EXPECT_TRUE(assembly->isVisible());
  EXPECT_GT(assembly->width(), 100);
  splitWithKey();
  EXPECT_GT(assembly->width(), 100);
  EXPECT_GT(area().group(1).width(), 100);
  area().showSideView(false);
  EXPECT_FALSE(assembly->isVisible());
}

}  // namespace
}  // namespace wb
