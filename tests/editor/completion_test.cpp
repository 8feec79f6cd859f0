// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/completion.h"

#include <Qsci/qscilexercpp.h>

#include <QHelpEvent>
#include <QSignalSpy>
#include <QToolTip>

#include "editor/scintilla.h"
#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

std::shared_ptr<const KnownNames> someOperators() {
  return operatorNames(
      {{"aten::relu", "aten::relu(Tensor self) -> Tensor"},
       {"aten::relu_", "aten::relu_(Tensor(a!) self) -> Tensor(a!)"},
       {"aten::sum.IntList_out", "aten::sum.IntList_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
       {"aten::sum.dim_IntList", "aten::sum.dim_IntList(Tensor self, int[1]? dim) -> Tensor"},
       {"aten::_softmax", "aten::_softmax(Tensor self, int dim) -> Tensor"},
       {"prim::device", "prim::device(Tensor a) -> Device"}});
}

class CompletionTest : public EditorTest {
 protected:
  void showWithOperators(const QString& text, const char* language) {
    show(text, language);
    EditorOptions options;
    options.operators = someOperators();
    editor.setOptions(options);
  }
  /// The pointer rests on the first character of a word.
  bool hover(const QString& word) {
    const long at = static_cast<long>(editor.text().indexOf(word));
    const QPoint place(int(send(editor, QsciScintilla::SCI_POINTXFROMPOSITION, 0, at)) + 3,
                       int(send(editor, QsciScintilla::SCI_POINTYFROMPOSITION, 0, at)) + 5);
    QHelpEvent event(QEvent::ToolTip, place, editor.viewport()->mapToGlobal(place));
    QToolTip::hideText();
    QCoreApplication::sendEvent(editor.viewport(), &event);
    return event.isAccepted();
  }
};

TEST_F(CompletionTest, KnowsOperatorsBehindTheirNamespacesAlone) {
  QsciLexerCPP lexer;
  auto* completion = new Completion(&lexer, languageNames("cpp"));
  QStringList list;
  completion->updateAutoCompletionList({"at", "re"}, list);
  EXPECT_FALSE(list.contains("relu"));
  completion->setOperators(someOperators());
  completion->updateAutoCompletionList({"at", "re"}, list);
  EXPECT_TRUE(list.contains("relu"));
  list.clear();
  completion->updateAutoCompletionList({"torch", ""}, list);
  EXPECT_TRUE(list.contains("relu") && list.contains("sum"));
  EXPECT_FALSE(list.contains("_softmax") || list.contains("device"));
  EXPECT_EQ(list.count("sum"), 1);
  list.clear();
  completion->updateAutoCompletionList({"at", "_s"}, list);
  EXPECT_EQ(list, QStringList{"_softmax"});
  list.clear();
  completion->updateAutoCompletionList({"relu"}, list);
  EXPECT_FALSE(list.contains("relu_"));
}

TEST_F(CompletionTest, OverloadsThatWriteIntoOutputsComeLast) {
  QsciLexerCPP lexer;
  auto* completion = new Completion(&lexer, languageNames("cpp"));
  completion->setOperators(someOperators());
  EXPECT_EQ(completion->callsOf("at", "sum"),
            (QStringList{"sum(Tensor self, int[1]? dim) -> Tensor",
                         "sum(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"}));
  EXPECT_EQ(completion->callsOf("x", "relu"), QStringList{"relu(Tensor self) -> Tensor"});  // a method
  EXPECT_TRUE(completion->callsOf({}, "relu").isEmpty());
}

TEST_F(CompletionTest, TritonsAndCudasFunctionsHaveTheirArguments) {
  QsciLexerCPP lexer;
  auto* python = new Completion(&lexer, languageNames("python"));
  EXPECT_TRUE(python->callsOf("tl", "load").first().startsWith("load(pointer, mask=None"));
  EXPECT_TRUE(python->callsOf("x", "load").isEmpty());
  QsciLexerCPP other;
  auto* cuda = new Completion(&other, languageNames("cuda"));
  EXPECT_EQ(cuda->callsOf({}, "atomicAdd").first(), "atomicAdd(float* address, float val)");
  EXPECT_GT(languageNames("cuda").size(), 900U);
}

TEST_F(CompletionTest, TypingOffersOperatorsAndShowsTheirSchema) {
  showWithOperators("\n", "cpp");
  type("at::");
  EXPECT_TRUE(editor.isListActive());
  type("relu(");
  EXPECT_TRUE(editor.isCallTipActive());
  key(Qt::Key_Escape);
  showWithOperators("\n", "python");
  type("torch.su");
  type("m(");
  EXPECT_TRUE(editor.isCallTipActive());
}

TEST_F(CompletionTest, OffersTheWordsAroundTheCaretAndNotThoseFarAway) {
  QString text = QStringLiteral("int neededFarAway;\n");
  while (text.size() < 200000) text += QStringLiteral("// nothing to see here, and nothing below it\n");
  text += QStringLiteral("int neededHere = neededToo; // unneeded\n\n");
  show(text, "cpp");
  editor.goTo(editor.lines(), 1);
  type("need");
  ASSERT_TRUE(editor.isListActive());
  const long length = send(editor, QsciScintilla::SCI_AUTOCGETCURRENTTEXT);
  QByteArray current(int(length) + 1, '\0');
  editor.SendScintilla(QsciScintilla::SCI_AUTOCGETCURRENTTEXT, 0UL, current.data());
  EXPECT_EQ(QByteArray(current.constData()), "neededHere");
  QsciLexer* lexer = editor.lexer();
  QStringList list;
  lexer->apis()->updateAutoCompletionList({"need"}, list);
  EXPECT_EQ(list.filter("needed"), (QStringList{"neededHere", "neededToo"}));
}

TEST_F(CompletionTest, AKeySaysOnceThatTheTextHasChanged) {
  show("void f() {}\n", "cpp");
  editor.goTo(1, 11);
  QSignalSpy changed(&editor, &QsciScintilla::textChanged), lines(&editor, &QsciScintilla::linesChanged);
  key(Qt::Key_Return);  // a line for the caret, and one for the bracket
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(lines.size(), 1);
  type("x");
  EXPECT_EQ(changed.size(), 2);
  EXPECT_EQ(lines.size(), 1);
  key(Qt::Key_Left);
  key(Qt::Key_Escape);
  EXPECT_EQ(changed.size(), 2) << "nothing was typed";
  KernelEditor second;
  second.showTextOf(editor);
  QTest::keyClicks(&second, "y");
  EXPECT_EQ(changed.size(), 3) << "the editor whose text it is says so";
  EXPECT_EQ(editor.bytes(), editor.text().toStdString());
}

TEST_F(CompletionTest, CompletionCanBeOff) {
  EditorOptions options;
  options.completion = false;
  editor.setOptions(options);
  show("\n");
  type("__shf");
  EXPECT_FALSE(editor.isListActive());
}

TEST_F(CompletionTest, HoveringShowsTheCallsOrAsks) {
  showWithOperators("auto a = at::relu(x);\nint mine = 1;\n", "cpp");
  QSignalSpy asked(&editor, &KernelEditor::wordHovered);
  hover("relu");
  EXPECT_TRUE(QToolTip::text().contains("relu(Tensor self) -&gt; Tensor")) << QToolTip::text().toStdString();
  EXPECT_TRUE(asked.empty());
  hover("mine");
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0][0].toInt(), 2);
  EXPECT_EQ(asked[0][1].toInt(), 5);
}

}  // namespace
}  // namespace wb
