// SPDX-License-Identifier: Apache-2.0
// Programs that take too much inside walls, and how all that is inside ends.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "core/base/process/process_tree.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "tests/core/sandbox/sandbox_fixture.h"

namespace wb::walls {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Limits : public SandboxTest, public ::testing::WithParamInterface<Around> {
 protected:
  void SetUp() override {
    WB_NEEDS(GetParam());
    SandboxTest::SetUp();
    sandbox.mayStartProcesses = true;
  }
  [[nodiscard]] Captured shell(const std::string& script) const {
    return run({"sh", "-c", script}, GetParam());
  }
  void expectOver(const Captured& ran, const char* limit) const {
    EXPECT_EQ(ran.ending, (Ending{limitExit, 0})) << describe(ran.ending) << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(limit));
  }
  /// The system refuses more processes to everybody but root, whose processes are counted and ended.
  void expectBounded(const Captured& ran) const {
    if (ran.ending != Ending{refused, 0}) expectOver(ran, "threads and processes");
  }
};
INSTANTIATE_TEST_SUITE_P(All, Limits, ::testing::Values(Around::walls, Around::wallsWithoutView),
                         [](const auto& info) { return std::string(name(info.param)); });

std::string readLine(int descriptor) {
  std::string line;
  for (char c = 0; ::read(descriptor, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

/// Waits for the end of every process that holds the write end of a pipe.
bool endsWithAll(int descriptor) {
  std::array<char, 64> rest{};
  ssize_t got = 0;
  do got = ::read(descriptor, rest.data(), rest.size());
  while (got > 0);
  return got == 0;
}

TEST_P(Limits, AMemoryHogIsEnded) {
  sandbox.limits.memoryBytes = 256 << 20;
  expectOver(run({"self", "--hog", "512"}, GetParam()), "memory");
  EXPECT_TRUE(shell("true").ok());
}

TEST_P(Limits, AHogOfFilesInMemoryIsEnded) {
  // Elsewhere such files are refused.
  sandbox.devices = {"/dev/null"};
  sandbox.limits.memoryBytes = 256 << 20;
  expectOver(run({"self", "--hog-files", "512"}, GetParam()), "memory");
}

TEST_P(Limits, ACrowdOfProcessesIsEnded) {
  sandbox.limits.threads = 64;
  expectBounded(run({"self", "--crowd", "100"}, GetParam()));
}

TEST_P(Limits, ACrowdOfThreadsIsEnded) {
  sandbox.limits.threads = 64;
  sandbox.mayStartProcesses = false;
  expectBounded(run({"self", "--threads", "100"}, GetParam()));
}

TEST_P(Limits, ASpinnerIsEnded) {
  sandbox.limits.wallSeconds = 0.2;
  expectOver(shell("trap '' TERM INT HUP; while :; do :; done"), "time");
}

TEST_P(Limits, ProcessorTimeEnds) {
  sandbox.limits.cpuSeconds = 1;
  EXPECT_EQ(shell("while :; do :; done").ending.signal, SIGKILL);
}

TEST_P(Limits, AFileStaysSmall) {
  sandbox.limits.fileBytes = 1 << 20;
  const Captured ran = shell("head -c 5000000 /dev/zero > " + place.scratch + "/large");
  EXPECT_FALSE(ran.ok());
  EXPECT_TRUE(shell("head -c 500000 /dev/zero > " + place.scratch + "/small").ok());
}

TEST_P(Limits, TheScratchFolderStaysSmall) {
  sandbox.scratch = place.outside;
  sandbox.limits.scratchBytes = 1 << 20;
  expectOver(shell("while :; do head -c 500000 /dev/zero > file$((n += 1)) || exit; done"), "scratch folder");
}

TEST_P(Limits, EndlessOutputIsCutByItsReader) {
  const auto ran = runToEnd(commandOf({"yes"}, GetParam()), 1s, {}, 1000);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->cut && ran->timedOut);
}

TEST_P(Limits, WhatLeavesItsSessionEndsWithTheProgram) {
  Result<Child> child = Child::start(commandOf(
      {"sh", "-c", "(setsid sh -c 'echo started; exec sleep 1000' &); read line; exit 3"}, GetParam()));
  ASSERT_TRUE(child);
  EXPECT_EQ(readLine(child->output()), "started");
  child->closeInput();
  EXPECT_EQ(child->wait(20s).second, (Ending{3, 0}));
  EXPECT_TRUE(endsWithAll(child->output()));
}

TEST_P(Limits, AllInsideEndsWhenTheLauncherIsKilled) {
  if (GetParam() == Around::wallsWithoutView)
    GTEST_SKIP() << "without a view of its own a keeper around the launcher ends what leaves its session";
  Result<Child> child = Child::start(
      commandOf({"sh", "-c", "(setsid sh -c 'echo started; exec sleep 1000' &); read line"}, GetParam()));
  ASSERT_TRUE(child);
  EXPECT_EQ(readLine(child->output()), "started");
  ::kill(child->pid(), SIGKILL);
  EXPECT_TRUE(endsWithAll(child->output()));
}

TEST_P(Limits, TheProgramCanBeFoundAndGetsSigterm) {
  Result<Child> child = Child::start(
      commandOf({"sh", "-c", "trap 'echo asked; exit 5' TERM; echo started; while :; do sleep 0.01; done"},
                GetParam()));
  ASSERT_TRUE(child);
  EXPECT_EQ(readLine(child->output()), "started");
  const pid_t program = programInside(child->pid());
  ASSERT_GT(program, 0);
  EXPECT_NE(program, child->pid());
  ::kill(child->pid(), SIGTERM);
  EXPECT_EQ(readLine(child->output()), "asked");
  EXPECT_EQ(child->wait(20s).second, (Ending{5, 0}));
}

}  // namespace
}  // namespace wb::walls
