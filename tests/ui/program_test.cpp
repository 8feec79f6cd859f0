// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, as its users start it.
#include <QProcess>
#include <QProcessEnvironment>
#include <csignal>
#include <cstdio>

#include "tests/ui/window_test.h"

namespace wb {
namespace {

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

TEST_F(ProgramTest, PaintsAndTellsWhen) {
  QProcess program;
  start(program, {writeFile("relu.cpp", "int x;\n")});
  QByteArray said;
  ASSERT_TRUE(waitFor([&] { return (said += program.readAllStandardError()).contains("first paint"); }))
      << said.toStdString();
  std::printf("[ figure   ] %s", said.constData());
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
  ASSERT_TRUE(program.waitForFinished());
  EXPECT_EQ(program.exitCode(), 0);
  EXPECT_TRUE(program.readAllStandardOutput().contains(WB_VERSION));
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
