// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clangd/clangd.h"

#include <signal.h>

#include <QDir>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolTip>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "tests/ui/window_test.h"
#include "ui/clangd/text_edits.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/settings/environments.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

class ClangdTest : public test::WindowTest {
 protected:
  /// Opens a window with a kernel and the fake server behaving as `mode` says.
  Document& openWith(const char* mode, const QByteArray& text) {
    clangd_ = {QStringLiteral(WB_BINARY_DIR "/tests/bin/warpbench-fake-clangd"), QString::fromLatin1(mode),
               folder() + "/log"};
    open({writeFile("a.cpp", text)});
    EXPECT_TRUE(waitFor([this] { return clangd() && clangd()->server(); }));
    return *parts().tabs->withPath(folder() + "/a.cpp");
  }
  [[nodiscard]] Clangd* clangd() { return window().findChild<Clangd*>(); }
  [[nodiscard]] int starts() const { return int(readFile(folder() + "/log").count('\n')); }
};

TEST_F(ClangdTest, ErrorsAreShownWhileTyping) {
  Document& document = openWith("good", "int a = wrong;\n");
  KernelEditor& editor = document.editor();
  ASSERT_TRUE(waitFor([&] { return editor.diagnosticCount() == 1; }));
  EXPECT_TRUE(editor.annotation(0).contains("this is wrong"));
  editor.goTo(2, 1);
  QTest::keyClicks(editor.viewport(), "int b = wrong;");
  ASSERT_TRUE(waitFor([&] { return editor.diagnosticCount() == 2; }));
  editor.setText("int a = right;\n");
  ASSERT_TRUE(waitFor([&] { return editor.diagnosticCount() == 0; }));
}

TEST_F(ClangdTest, GoesToTheDefinitionAndRenamesInOneStep) {
  Document& document = openWith("good", "int defined;\nint b = defined;\n");
  KernelEditor& editor = document.editor();
  ASSERT_TRUE(waitFor([&] { return clangd()->server()->isReady(); }));
  editor.goTo(2, 10);
  EXPECT_EQ(clangd()->nameAtCaret(), "defined");
  press(Qt::Key_F12);
  ASSERT_TRUE(waitFor([&] { return editor.currentLine() == 1; }));
  EXPECT_EQ(editor.currentColumn(), 5);
  clangd()->rename("better");
  ASSERT_TRUE(waitFor([&] { return document.text() == "int better;\nint b = better;\n"; }));
  editor.undo();
  EXPECT_EQ(document.text(), "int defined;\nint b = defined;\n");
}

TEST_F(ClangdTest, HoveringAWordThatTheEditorDoesNotKnowAsksTheServer) {
  Document& document = openWith("good", "int mine;\n");
  KernelEditor& editor = document.editor();
  ASSERT_TRUE(waitFor([&] { return clangd()->server()->isReady(); }));
  const QPoint place(int(send(editor, QsciScintilla::SCI_POINTXFROMPOSITION, 0, 5)),
                     int(send(editor, QsciScintilla::SCI_POINTYFROMPOSITION, 0, 5)) + 4);
  QHelpEvent event(QEvent::ToolTip, place, editor.viewport()->mapToGlobal(place));
  QCoreApplication::sendEvent(editor.viewport(), &event);
  EXPECT_TRUE(waitFor([] { return QToolTip::text().contains("int mine"); }));
}

TEST_F(ClangdTest, ACrashIsSurvivedAndTheTextsAreOpenedAgain) {
  Document& document = openWith("once", "int a = wrong;\n");
  ASSERT_TRUE(waitFor([&] { return document.editor().diagnosticCount() == 1; }));
  EXPECT_EQ(starts(), 2);
  EXPECT_EQ(clangd()->server()->restarts(), 1);
}

TEST_F(ClangdTest, AServerThatAlwaysCrashesIsStartedThreeTimesAgainAndThenLeftAlone) {
  Document& document = openWith("crash", "int a = wrong;\n");
  ASSERT_TRUE(waitFor([&] { return parts().banner->isVisible(); }));
  EXPECT_EQ(starts(), 1 + LanguageServer::mostRestarts);
  EXPECT_EQ(document.editor().diagnosticCount(), 0);
  QTest::keyClicks(document.editor().viewport(), "typing goes on ");
  press(Qt::Key_F12);
  EXPECT_TRUE(document.text().startsWith("typing goes on "));
}

TEST_F(ClangdTest, NonsenseIsSurvived) {
  openWith("nonsense", "int a = wrong;\n");
  ASSERT_TRUE(waitFor([&] { return clangd()->server()->restarts() == LanguageServer::mostRestarts; }));
}

TEST_F(ClangdTest, AHangIsEndedWhenItsTimeIsOver) {
  Document& document = openWith("hang", "int defined;\n");
  ASSERT_TRUE(
      waitFor([&] { return document.editor().diagnosticCount() == 0 && clangd()->server()->isReady(); }));
  clangd()->server()->setPatience(1);
  clangd()->goToDefinition();
  ASSERT_TRUE(waitFor([&] { return clangd()->server()->restarts() == 1; }));
}

TEST_F(ClangdTest, EndsWithTheWindowAndIsOffWithOneSetting) {
  openWith("good", "int a;\n");
  ASSERT_TRUE(waitFor([&] { return clangd()->server()->isReady(); }));
  const auto process = pid_t(clangd()->server()->processId());
  action("edit.clangd")->trigger();
  EXPECT_EQ(clangd(), nullptr);
  EXPECT_NE(kill(process, 0), 0);
  action("edit.clangd")->trigger();
  ASSERT_TRUE(waitFor([&] { return clangd() && clangd()->server() && clangd()->server()->isReady(); }));
  const auto next = pid_t(clangd()->server()->processId());
  close();
  EXPECT_NE(kill(next, 0), 0);
}

TEST_F(ClangdTest, ATextIsReadWithTheHeadersOfItsOwnPython) {
  const auto makePython = [this](const QString& name) {
    EXPECT_TRUE(QDir(folder()).mkpath(name + "/lib/python3.11/site-packages/torch/include"));
    EXPECT_TRUE(QDir(folder()).mkpath(name + "/bin"));
    return writeFile(name + "/bin/python", "");
  };
  const auto reads = [this](const QString& name) {
    const QByteArray commands = readFile(folder() + "/log.commands");
    return commands.contains(
        (folder() + '/' + name + "/lib/python3.11/site-packages/torch/include").toUtf8());
  };
  const QString one = makePython("one"), two = makePython("two"), three = makePython("three");
  clangd_ = {QStringLiteral(WB_BINARY_DIR "/tests/bin/warpbench-fake-clangd"), "good", folder() + "/log"};
  open();
  settings_->setText("python/path", one);
  parts().tabs->setCurrent(edit("a.cpp", "int a = wrong;\n"));
  Document* document = parts().tabs->current();
  ASSERT_TRUE(waitFor([&] { return reads("one"); }));
  EXPECT_FALSE(reads("two"));
  setEnvironments(*settings_, {{"second", two}});
  document->setEnvironment("second");
  ASSERT_TRUE(waitFor([&] { return reads("two"); })) << "of one tab";
  document->setEnvironment({});
  settings_->setText("python/path", three);
  ASSERT_TRUE(waitFor([&] { return reads("three"); })) << "of all tabs";
  ASSERT_TRUE(waitFor([&] { return document->editor().diagnosticCount() == 1; }));
}

TEST(CompileFlags, EachLanguageHasItsHeaders) {
  HeaderPlaces places;
  places.torch = "/t/torch/include";
  places.cuda = "/cuda";
  places.ours = "/ours";
  const QStringList cpp = compileCommand("/a.cpp", "torch_cpp", places);
  EXPECT_TRUE(cpp.contains("-xc++") && cpp.contains("/t/torch/include") && cpp.contains("/a.cpp"));
  const QStringList raw = compileCommand("/a.cu", "raw_cuda", places);
  EXPECT_TRUE(raw.contains("-xcuda") && raw.contains("--cuda-path=/cuda"));
  EXPECT_TRUE(raw.contains("/ours/warpbench_raw.h"));
  EXPECT_FALSE(raw.contains("/t/torch/include"));
  places.cuda.clear();
  EXPECT_TRUE(compileCommand("/a.cu", "torch_cuda", places).contains("-nocudainc"));
}

TEST(TextEdits, AreMadeInOneStepAndNeverOutsideTheText) {
  KernelEditor editor;
  editor.setText("one two\nthree\n");
  applyEdits(editor, {{0, 0, 0, 3, "1"}, {1, 0, 1, 5, "3"}, {0, 4, 0, 7, "2"}, {9, 0, 9, 1, "x"}});
  EXPECT_EQ(editor.text(), "1 2\n3\n");
  editor.undo();
  EXPECT_EQ(editor.text(), "one two\nthree\n");
}

// What the installed clangd says of our own samples: nothing, torch and CUDA 13 included.
TEST_F(ClangdTest, TheInstalledOneParsesTheSamples) {
  const QString program = QStandardPaths::findExecutable("clangd");
  if (program.isEmpty()) GTEST_SKIP() << "clangd is not installed";
  const HeaderPlaces places = findHeaders({});
  if (places.cuda.empty()) GTEST_SKIP() << "the headers of CUDA are not installed";
  clangd_ = {program, "--log=error", "--background-index=0", "-j=1"};
  QFile sample(WB_SOURCE_DIR "/resources/samples/softmax.cu");
  ASSERT_TRUE(sample.open(QIODevice::ReadOnly));
  open({writeFile("softmax.cu", sample.readAll())});
  ASSERT_TRUE(waitFor([this] { return parts().tabs->withPath(folder() + "/softmax.cu") != nullptr; }));
  Document& document = *parts().tabs->withPath(folder() + "/softmax.cu");
  // An error of ours is the proof that it has parsed everything before it.
  document.editor().append("\nint wrong = undeclared_name;\n");
  ASSERT_TRUE(waitFor([&] { return document.editor().diagnosticCount() > 0; }, 240000));
  EXPECT_EQ(document.editor().diagnosticCount(), 1)
      << document.editor().annotation(0).toStdString() << document.editor().annotation(12).toStdString();
  EXPECT_TRUE(document.editor().annotation(document.editor().lines() - 2).contains("undeclared_name"));
}

}  // namespace
}  // namespace wb
