// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, as its users start it.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <csignal>
#include <cstdio>

#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"

namespace wb {
namespace {

/// The number in a line of a file of /proc; 0 without such a line.
long numberOf(const QString& path, const char* name) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith(name)) return line.mid(line.indexOf(':') + 1).simplified().split(' ')[0].toLong();
  return 0;
}

class ProgramTest : public test::WindowTest {
 protected:
  void start(QProcess& program, const QStringList& arguments) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("WARPBENCH_TRACE_START", "1");
    environment.insert("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker");
    program.setProcessEnvironment(environment);
    program.start(WB_BINARY_DIR "/bin/warpbench-ui", arguments);
  }
};

/// How often the threads of a process have woken up so far.
long wakeUps(qint64 process) {
  long all = 0;
  const QDir tasks(QStringLiteral("/proc/%1/task").arg(process));
  for (const QString& task : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
    all += numberOf(tasks.filePath(task + "/status"), "voluntary_ctxt_switches");
  return all;
}

// It prints what the start with six files costs. That is not judged: the machine is shared.
TEST_F(ProgramTest, PaintsAndTellsWhen) {
  QProcess program;
  QStringList files;
  for (const char* name : {"relu.cpp", "gelu.cu", "sum.py", "add.cpp", "mul.cu", "exp.py"})
    files.push_back(writeFile(QString::fromLatin1(name), "int x;\n"));
  start(program, files);
  QByteArray said;
  ASSERT_TRUE(waitFor([&] { return (said += program.readAllStandardError()).contains("first paint"); }))
      << said.toStdString();
  std::printf("[ figure   ] six files, %s", said.mid(said.indexOf("first paint")).constData());
  const QString status = QStringLiteral("/proc/%1/status").arg(program.processId());
  std::printf("[ figure   ] memory at the first paint: %ld MB, aim 100\n", numberOf(status, "VmRSS") / 1024);
  program.terminate();
  program.waitForFinished();
}

TEST_F(ProgramTest, SleepsWhileNothingHappens) {
  QProcess program;
  start(program, {writeFile("relu.cpp", "int x;\n")});
  QByteArray said;
  ASSERT_TRUE(waitFor([&] { return (said += program.readAllStandardError()).contains("first paint"); }))
      << said.toStdString();
  // Workers start, caches are prepared, and the caret blinks for ten seconds; then there is nothing to do.
  long before = 0;
  const bool sleeps = waitFor(
      [&] {
        before = wakeUps(program.processId());
        QTest::qWait(3000);
        return wakeUps(program.processId()) == before;
      },
      90000);
  EXPECT_TRUE(sleeps) << "in three seconds it was awake " << wakeUps(program.processId()) - before
                      << " times";
  std::printf("[ figure   ] memory when idle: %ld MB, aim 100\n",
              numberOf(QStringLiteral("/proc/%1/status").arg(program.processId()), "VmRSS") / 1024);
  program.terminate();
  program.waitForFinished();
}

TEST_F(ProgramTest, LinksNeitherTorchNorCuda) {
  QProcess ldd;
  ldd.start("ldd", {WB_BINARY_DIR "/bin/warpbench-ui"});
  ASSERT_TRUE(ldd.waitForFinished());
  const QByteArray libraries = ldd.readAllStandardOutput();
  EXPECT_TRUE(libraries.contains("libQt6Widgets"));
  for (const char* banned : {"libtorch", "libcuda", "libc10", "libnvrtc", "libpython"})
    EXPECT_FALSE(libraries.contains(banned)) << banned;
}

TEST_F(ProgramTest, VersionNeedsNoWindow) {
  QProcess program;
  start(program, {"--version"});
  ASSERT_TRUE(program.waitForFinished()) << program.errorString().toStdString();
  const QByteArray said = program.readAllStandardOutput();
  EXPECT_EQ(program.exitStatus(), QProcess::NormalExit);
  EXPECT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
  EXPECT_EQ(said.toStdString(), "warpbench-ui " WB_VERSION "\n");
}

TEST_F(ProgramTest, HelpAndWordsThatItDoesNotKnowNeedNoWindowEither) {
  QProcess program;
  start(program, {"--help"});
  ASSERT_TRUE(program.waitForFinished()) << program.errorString().toStdString();
  EXPECT_EQ(program.exitCode(), 0);
  EXPECT_TRUE(program.readAllStandardOutput().contains("Kernels to open."));
  start(program, {"--no-such-word"});
  ASSERT_TRUE(program.waitForFinished()) << program.errorString().toStdString();
  EXPECT_EQ(program.exitCode(), 1);
  EXPECT_TRUE(program.readAllStandardError().contains("no-such-word"));
}

TEST_F(ProgramTest, WithoutADisplayItSaysSoAndEnds) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_QPA_PLATFORM", "xcb");
  environment.insert("DISPLAY", ":4711");
  program.setProcessEnvironment(environment);
  program.start(WB_BINARY_DIR "/bin/warpbench-ui", QStringList());
  ASSERT_TRUE(program.waitForFinished());
  EXPECT_EQ(program.exitStatus(), QProcess::NormalExit);
  EXPECT_EQ(program.exitCode(), 3);
  const QByteArray said = program.readAllStandardError();
  EXPECT_TRUE(said.contains("no window can be opened here")) << said.toStdString();
  EXPECT_TRUE(said.contains("DISPLAY is :4711")) << said.toStdString();
}

TEST_F(ProgramTest, ADisplayThatGoesAwayEndsItAndTheNextWindowHasWhatWasThere) {
  QProcess display;
  display.start("Xvfb", {"-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"});
  if (!display.waitForStarted()) GTEST_SKIP() << "there is no Xvfb";
  QByteArray number;
  ASSERT_TRUE(waitFor([&] { return (number += display.readAllStandardOutput()).endsWith('\n'); }))
      << display.readAllStandardError().toStdString();
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_QPA_PLATFORM", "xcb");
  environment.insert("DISPLAY", ':' + QString::fromLatin1(number.trimmed()));
  environment.insert("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker");
  program.setProcessEnvironment(environment);
  program.start(WB_BINARY_DIR "/bin/warpbench-ui", {writeFile("relu.cpp", "int kept;\n")});
  EXPECT_TRUE(waitFor([] { return test::isInData("state.json", "relu.cpp"); }))
      << program.readAllStandardError().toStdString();
  display.kill();
  ASSERT_TRUE(display.waitForFinished());
  ASSERT_TRUE(program.waitForFinished()) << "it goes on without a screen";
  // Without the sentence the program ended by Qt's own exit(), which crashes now and then.
  const QByteArray said = program.readAllStandardError();
  EXPECT_TRUE(said.contains("the display has gone away")) << said.toStdString();
  EXPECT_EQ(program.exitStatus(), QProcess::NormalExit);
  EXPECT_EQ(program.exitCode(), 3);
  open();
  ASSERT_NE(parts().tabs->current(), nullptr);
  EXPECT_EQ(parts().tabs->current()->text(), "int kept;\n");
}

TEST_F(ProgramTest, NeedsNoFontsOfTheSystem) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("WARPBENCH_TRACE_START", "1");
  environment.insert("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker");
  environment.insert("FONTCONFIG_FILE", writeFile("fonts.conf", "<fontconfig></fontconfig>"));
  program.setProcessEnvironment(environment);
  program.start(WB_BINARY_DIR "/bin/warpbench-ui", {writeFile("relu.cpp", "int x;\n")});
  QByteArray said;
  EXPECT_TRUE(waitFor([&] { return (said += program.readAllStandardError()).contains("first paint"); }))
      << said.toStdString();
  program.terminate();
  program.waitForFinished();
}

}  // namespace
}  // namespace wb
