// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/heat_layer.h"

#include <QHelpEvent>
#include <QToolTip>

#include "editor/scintilla.h"
#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

class Heat : public EditorTest {
 protected:
  void SetUp() override {
    show("one();\ntwo();\nthree();\nfour();\nfive();\n");
    editor.setFileName("/home/user/k.cu");
    editor.setHeat({{"k.cu", 2, 0.6, "80 % long scoreboard: waits for memory\n20 % selected"},
                    {"k.cu", 4, 0.3, "100 % barrier"},
                    {"k.cu", 5, 0.0001, "too little to say"},
                    {"other.cu", 1, 0.05, "elsewhere"},
                    {"k.cu", 99, 0.05, "beyond the end"}});
  }
  [[nodiscard]] QString said(int line) { return editor.heat().textOfLine(line); }
};

TEST_F(Heat, ALineHasItsShareInAMarginThatIsThereOnlyThen) {
  EXPECT_EQ(editor.heat().count(), 2);
  EXPECT_EQ(said(2).toStdString(), "60.0 %");
  EXPECT_EQ(said(4).toStdString(), "30.0 %");
  EXPECT_TRUE(said(1).isEmpty());
  EXPECT_GT(editor.marginWidth(heatMargin), 20);
  editor.setHeat({});
  EXPECT_EQ(editor.marginWidth(heatMargin), 0);
}

TEST_F(Heat, SwitchedOffTheMarginTakesNoRoomAndComesBack) {
  editor.setHeatVisible(false);
  EXPECT_EQ(editor.marginWidth(heatMargin), 0);
  editor.setHeatVisible(true);
  EXPECT_GT(editor.marginWidth(heatMargin), 20);
  EXPECT_EQ(editor.heat().count(), 2);
}

TEST_F(Heat, SharesMoveWithTheirLines) {
  editor.insertAt("// new\n", 0, 0);
  settle();
  EXPECT_EQ(said(3).toStdString(), "60.0 %");
  EXPECT_EQ(said(5).toStdString(), "30.0 %");
  EXPECT_TRUE(said(2).isEmpty());
}

TEST_F(Heat, AnEditedLineLosesItsShareAndMostOfItAll) {
  editor.insertAt("x", 3, 0);
  settle();
  EXPECT_EQ(editor.heat().count(), 1);  // a third went
  editor.insertAt("x", 1, 0);
  settle();
  EXPECT_EQ(editor.heat().count(), 0);
  EXPECT_EQ(editor.marginWidth(heatMargin), 0);
}

TEST_F(Heat, IndentingIsNoChange) {
  editor.insertAt("    ", 1, 0);
  settle();
  EXPECT_EQ(said(2).toStdString(), "60.0 %");
}

TEST_F(Heat, TheTipNamesTheStalls) {
  EXPECT_TRUE(editor.heat().tipOfLine(2).contains("60.0 % of the samples"));
  EXPECT_TRUE(editor.heat().tipOfLine(2).contains("waits for memory"));
  const QPoint at(editor.marginWidth(edgeMargin) + 4,
                  int(send(editor, QsciScintilla::SCI_TEXTHEIGHT, 1)) * 3 / 2);
  QHelpEvent help(QEvent::ToolTip, at, editor.viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(editor.viewport(), &help);
  EXPECT_TRUE(QToolTip::text().contains("long scoreboard")) << QToolTip::text().toStdString();
}

TEST_F(Heat, ItStaysWithAnotherLanguageAndTheme) {
  editor.setLanguage("python");
  settle();
  EXPECT_EQ(said(2).toStdString(), "60.0 %");
  EXPECT_GT(editor.marginWidth(heatMargin), 20);
}

TEST_F(Heat, PointingTintsALineWithoutMovingTheCaret) {
  editor.goTo(5, 1);
  editor.pointAt(2);
  EXPECT_EQ(editor.pointedLine(), 2);
  EXPECT_EQ(editor.currentLine(), 5);
  editor.pointAt(3);
  EXPECT_EQ(editor.pointedLine(), 3);
  editor.pointAt(0);
  EXPECT_EQ(editor.pointedLine(), 0);
}

}  // namespace
}  // namespace wb
