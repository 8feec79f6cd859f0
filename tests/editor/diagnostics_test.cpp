// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/diagnostics_layer.h"

#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

class Diagnostics : public EditorTest {
 protected:
  void SetUp() override { show("int a;\nint b = c;\nint d;\nint e;\n"); }
  [[nodiscard]] unsigned markersAt(int line) { return editor.markersAtLine(line) & (7U << 20); }
  [[nodiscard]] long squiggleAt(int indicator, int line, int column) {
    return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator),
                                static_cast<long>(editor.positionFromLineIndex(line, column)));
  }
};

TEST_F(Diagnostics, AnErrorGetsAMarkASquiggleAndALineBelow) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "identifier \"c\" is undefined", "#20")});
  EXPECT_EQ(editor.diagnosticCount(), 1);
  EXPECT_EQ(markersAt(1), 1U << 20);
  EXPECT_EQ(markersAt(0), 0U);
  EXPECT_NE(squiggleAt(8, 1, 8), 0);
  EXPECT_EQ(squiggleAt(8, 1, 7), 0);
  EXPECT_EQ(squiggleAt(8, 1, 9), 0);
  EXPECT_EQ(editor.annotation(1).trimmed(), "error: identifier \"c\" is undefined  [#20]");
  EXPECT_TRUE(editor.annotation(0).isEmpty());
}

TEST_F(Diagnostics, SeveritiesHaveMarksAndSquigglesOfTheirOwn) {
  editor.setDiagnostics({diagnostic(Severity::warning, "k.cu", 1, 5, "unused"),
                         diagnostic(Severity::note, "k.cu", 3, 0, "see here")});
  EXPECT_EQ(markersAt(0), 1U << 21);
  EXPECT_NE(squiggleAt(9, 0, 4), 0);
  EXPECT_EQ(markersAt(2), 1U << 22);
  // Without a column the whole line is meant.
  EXPECT_NE(squiggleAt(10, 2, 0), 0);
  EXPECT_NE(squiggleAt(10, 2, 5), 0);
}

TEST_F(Diagnostics, TwoOnALineAreBothShown) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "first"),
                         diagnostic(Severity::warning, "k.cu", 2, 5, "second")});
  EXPECT_EQ(editor.diagnosticCount(), 2);
  EXPECT_TRUE(editor.annotation(1).contains("first"));
  EXPECT_TRUE(editor.annotation(1).contains("second"));
}

TEST_F(Diagnostics, OtherFilesAndLinesThatDoNotExistAreLeftOut) {
  editor.setFileName("/home/user/k.cu");
  editor.setDiagnostics({diagnostic(Severity::error, "/usr/include/math.h", 1, 1, "elsewhere"),
                         diagnostic(Severity::error, "k.cu", 1, 1, "here"),
                         diagnostic(Severity::error, "k.cu", 99, 1, "beyond"),
                         diagnostic(Severity::error, "k.cu", 0, 0, "nowhere"),
                         diagnostic(Severity::error, "/home/other/k.cu", 1, 1, "namesake")});
  EXPECT_EQ(editor.diagnosticCount(), 1);
  EXPECT_TRUE(editor.annotation(0).contains("here"));
}

TEST_F(Diagnostics, ANewSetReplacesTheOldOneAndClearRemovesAll) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "old")});
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 3, 1, "new")});
  EXPECT_EQ(markersAt(1), 0U);
  EXPECT_TRUE(editor.annotation(1).isEmpty());
  EXPECT_EQ(squiggleAt(8, 1, 8), 0);
  editor.clearDiagnostics();
  EXPECT_EQ(editor.diagnosticCount(), 0);
  EXPECT_EQ(markersAt(2), 0U);
  EXPECT_TRUE(editor.annotation(2).isEmpty());
}

TEST_F(Diagnostics, OneGoesWhenItsLineIsEditedAndOthersStay) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "edited"),
                         diagnostic(Severity::error, "k.cu", 4, 1, "kept")});
  editor.setCursorPosition(1, 3);
  type("x");
  EXPECT_EQ(editor.diagnosticCount(), 1);
  EXPECT_EQ(markersAt(1), 0U);
  EXPECT_TRUE(editor.annotation(1).isEmpty());
  EXPECT_EQ(markersAt(3), 1U << 20);
}

TEST_F(Diagnostics, ItMovesWithItsLine) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "moves")});
  editor.setCursorPosition(0, 6);
  key(Qt::Key_Return);
  EXPECT_EQ(editor.diagnosticCount(), 1);
  EXPECT_EQ(markersAt(2), 1U << 20);
  EXPECT_TRUE(editor.annotation(2).contains("moves"));
}

TEST_F(Diagnostics, ReplacingTheWholeTextRemovesAll) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 2, 9, "gone")});
  editor.setText("other\ntext\nentirely\n");
  settle();
  EXPECT_EQ(editor.diagnosticCount(), 0);
}

TEST_F(Diagnostics, APlaceBehindTheLineMarksItsLastCharacter) {
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 1, 80, "expected ;")});
  EXPECT_NE(squiggleAt(8, 0, 5), 0);
}

TEST_F(Diagnostics, PagesOfTemplateErrorsAreCutShort) {
  std::string message = "first";
  for (int i = 0; i < 50; ++i) message += "\nrequired from here";
  editor.setDiagnostics({diagnostic(Severity::error, "k.cu", 1, 1, message)});
  EXPECT_LE(editor.annotation(0).count('\n'), 6);
  EXPECT_TRUE(editor.annotation(0).contains(QStringLiteral("…")));
}

}  // namespace
}  // namespace wb
