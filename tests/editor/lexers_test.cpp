// SPDX-License-Identifier: GPL-3.0-or-later
#include <Qsci/qscilexer.h>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QAccessible>

#include "editor/editor_palette.h"
#include "editor/language/vocabulary.h"
#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

using Cpp = QsciLexerCPP;

class Lexers : public EditorTest {};

TEST_F(Lexers, CudaQualifiersAreKeywordsAndIntrinsicsAreBuiltins) {
  show(
      "__global__ void f(float* x) {\n  x[threadIdx.x] = __shfl_xor_sync(0xffu, 1.0f, 1);  // note\n  plain "
      "= \"text\";\n}\n");
  EXPECT_EQ(styleOf("__global__"), Cpp::Keyword);
  EXPECT_EQ(styleOf("void"), Cpp::GlobalClass);
  EXPECT_EQ(styleOf("float"), Cpp::GlobalClass);
  EXPECT_EQ(styleOf("threadIdx"), Cpp::KeywordSet2);
  EXPECT_EQ(styleOf("__shfl_xor_sync"), Cpp::KeywordSet2);
  EXPECT_EQ(styleOf("0xffu"), Cpp::Number);
  EXPECT_EQ(styleOf("// note"), Cpp::CommentLine);
  EXPECT_EQ(styleOf("plain"), Cpp::Identifier);
  EXPECT_EQ(styleOf("\"text\""), Cpp::DoubleQuotedString);
}

TEST_F(Lexers, TorchCppKnowsTensorsButNoCudaQualifiers) {
  show(
      "at::Tensor f(const at::Tensor& self) { return at::empty_like(self); } // __global__\nint __global__x; "
      "__shared__ y;\n",
      "cpp");
  EXPECT_EQ(styleOf("Tensor"), Cpp::GlobalClass);
  EXPECT_EQ(styleOf("return"), Cpp::Keyword);
  EXPECT_EQ(styleOf("empty_like"), Cpp::KeywordSet2);
  EXPECT_EQ(styleOf("__shared__"), Cpp::Identifier);
}

TEST_F(Lexers, PythonIsStyled) {
  show("@triton.jit\ndef kernel(x):\n    return range(x)  # note\n", "python");
  EXPECT_EQ(styleOf("@"), QsciLexerPython::Decorator);
  EXPECT_EQ(styleOf("def"), QsciLexerPython::Keyword);
  EXPECT_EQ(styleOf("kernel"), QsciLexerPython::FunctionMethodName);
  EXPECT_EQ(styleOf("range"), QsciLexerPython::HighlightedIdentifier);
  EXPECT_EQ(styleOf("# note"), QsciLexerPython::Comment);
}

TEST_F(Lexers, AnUnknownLanguageIsPlainText) {
  show("return 1;", "cobol");
  EXPECT_EQ(editor.lexer(), nullptr);
  editor.setLanguage("cuda");
  ASSERT_NE(editor.lexer(), nullptr);
  EXPECT_STREQ(editor.lexer()->language(), "CUDA C++");
}

TEST_F(Lexers, CalledFunctionsAreMarkedOnScreen) {
  show("int a = compute(b) + plain + load<int, 4>(p) + less < b;\n");
  const auto marked = [&](const char* word) {
    const qsizetype at = editor.text().indexOf(QString::fromLatin1(word));
    return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, 11UL, static_cast<long>(at)) != 0;
  };
  EXPECT_TRUE(QTest::qWaitFor([&] { return marked("compute"); }));
  EXPECT_TRUE(marked("load"));
  EXPECT_FALSE(marked("plain"));
  EXPECT_FALSE(marked("less"));
}

TEST_F(Lexers, APaletteReachesStylesAndSurvivesALanguageChange) {
  EditorPalette palette;
  palette.background = QColor("#fdfdfd");
  palette.text = QColor("#101010");
  palette.keyword = QColor("#123456");
  show("return 1;");
  editor.setPalette(palette);
  EXPECT_EQ(editor.lexer()->color(Cpp::Keyword), palette.keyword);
  editor.setLanguage("cpp");
  EXPECT_EQ(editor.lexer()->color(Cpp::Keyword), palette.keyword);
  EXPECT_EQ(editor.lexer()->paper(Cpp::Keyword), palette.background);
}

TEST_F(Lexers, FunctionsFold) {
  show("void f() {\n  int a;\n  int b;\n}\nint c;\n");
  editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
  editor.SendScintilla(QsciScintilla::SCI_TOGGLEFOLD, 0UL);
  EXPECT_EQ(editor.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 1UL), 0);
  editor.goTo(3, 1);
  EXPECT_EQ(editor.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 2UL), 1);
}

TEST_F(Lexers, TheWordsOfABranchAreOfferedForCompletionOnce) {
  const QStringList words = completions("cuda");
  EXPECT_TRUE(words.contains("threadIdx"));
  EXPECT_EQ(words.filter("__shfl_xor_sync").size(), 3);  // its overloads, and no plain word beside them
  EXPECT_TRUE(words.filter("__shfl_xor_sync").first().contains("laneMask"));
  EXPECT_TRUE(completions("python").contains("tl.program_id(axis)"));
}

TEST_F(Lexers, TypingOffersCompletion) {
  show("\n");
  type("__shf");
  EXPECT_TRUE(editor.isListActive());
}

TEST_F(Lexers, HasAnAccessibleName) {
  QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&editor);
  ASSERT_NE(interface, nullptr);
  EXPECT_FALSE(editor.accessibleName().isEmpty());
}

TEST_F(Lexers, TheWheelWithCtrlIsLeftToWhoeverHoldsTheEditor) {
  show(QString("int a;\n").repeated(400));
  const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(QPointF(100, 100), editor.viewport()->mapToGlobal(QPointF(100, 100)), {}, {0, -120},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(editor.viewport(), &event);
    EXPECT_EQ(editor.SendScintilla(QsciScintilla::SCI_GETZOOM), 0);
    return event.isAccepted();
  };
  EXPECT_TRUE(wheel(Qt::NoModifier));
  EXPECT_FALSE(wheel(Qt::ControlModifier));
}

}  // namespace
}  // namespace wb
