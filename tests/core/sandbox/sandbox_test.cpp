// SPDX-License-Identifier: Apache-2.0
// Attempts to break out of walls, each made for real: it succeeds without walls and is refused with them.
#include "core/base/sandbox/sandbox.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <tuple>

#include "tests/core/sandbox/sandbox_fixture.h"

namespace wb::walls {
namespace {

using ::testing::HasSubstr;

class Attempts : public SandboxTest, public ::testing::WithParamInterface<std::tuple<Attempt, Around>> {};

TEST_P(Attempts, IsRefusedInsideWallsAlone) {
  const auto& [attempt, around] = GetParam();
  WB_NEEDS(around);
  const Captured bare = runAttempt(attempt.name, Around::nothing);
  if (bare.ending.exitCode != succeeded)
    GTEST_SKIP() << "it fails without walls, too: " << bare.out << bare.err;
  TearDown();
  SetUp();
  if (attempt.fails == Attempt::Fails::inView && around != Around::walls)
    GTEST_SKIP() << "only a view of its own keeps this out";
  const Captured walled = runAttempt(attempt.name, around);
  EXPECT_EQ(walled.ending, (Ending{refused, 0})) << walled.out << walled.err;
}

INSTANTIATE_TEST_SUITE_P(All, Attempts,
                         ::testing::Combine(::testing::ValuesIn(attempts()),
                                            ::testing::Values(Around::walls, Around::wallsWithoutView)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + name(std::get<1>(info.param));
                         });

class Walls : public SandboxTest, public ::testing::WithParamInterface<Around> {
 protected:
  void SetUp() override {
    WB_NEEDS(GetParam());
    SandboxTest::SetUp();
  }
  [[nodiscard]] Captured shell(const std::string& script) const {
    return run({"sh", "-c", script}, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(All, Walls, ::testing::Values(Around::walls, Around::wallsWithoutView),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Walls, OwnFilesAreOpen) {
  sandbox.mayStartProcesses = true;
  const Captured ran = shell("set -e; cd " + place.scratch + "; cat " + place.readable +
                             "/read.txt > copy; mkdir sub; mv copy sub/; cat sub/copy; rm -r sub; "
                             "echo gone > /dev/null; head -c 4 /dev/urandom | wc -c");
  EXPECT_TRUE(ran.ok()) << ran.err;
  EXPECT_EQ(ran.out, "to be read\n4\n");
}

TEST_P(Walls, WhatIsOpenableIsReadByItsNameAndNotListed) {
  sandbox.mayStartProcesses = true;
  sandbox.openable = {place.outside};
  const Captured ran = shell("cat " + place.outside + "/secret.txt; " + place.outside + "/program && ls " +
                             place.outside + " || echo not listed");
  EXPECT_EQ(ran.out, "secret\nnot listed\n") << ran.err;
}

TEST_P(Walls, SettingModesAndTimesEndsNoProgram) {
  sandbox.mayStartProcesses = true;
  const Captured ran = shell("set -e; cd " + place.scratch + "; cp " + place.readable +
                             "/read.txt copy; chmod 0600 copy; touch copy; cat copy");
  EXPECT_TRUE(ran.ok()) << ran.err;
}

TEST_P(Walls, AProgramEndsAsItWouldWithoutThem) {
  EXPECT_EQ(shell("exit 7").ending, (Ending{7, 0}));
  EXPECT_EQ(shell("kill -SEGV $$").ending, (Ending{0, SIGSEGV}));
  EXPECT_EQ(shell("kill -KILL $$").ending, (Ending{0, SIGKILL}));
  EXPECT_EQ(shell("echo out; echo error >&2").out, "out\n");
  EXPECT_EQ(shell("echo out; echo error >&2").err, "error\n");
}

TEST_P(Walls, AMissingProgramIsNamed) {
  const Captured ran = run({"/nowhere/program"}, GetParam());
  EXPECT_EQ(ran.ending.exitCode, 127);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere/program"));
}

TEST_P(Walls, AFolderThatIsMissingKeepsTheProgramFromStarting) {
  sandbox.writable.push_back(place.scratch + "/missing");
  const Captured ran = shell("echo started");
  EXPECT_EQ(ran.ending.exitCode, noWallsExit);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("missing"));
}

TEST_P(Walls, TheScratchFolderIsEmptyAndItsOwnAndGoes) {
  sandbox.mayStartProcesses = true;
  sandbox.scratch = place.outside;
  const Captured ran = shell(
      "set -e; test \"$PWD\" = \"$TMPDIR\"; test \"$HOME\" = \"$TMPDIR\"; ls -A; "
      "mktemp > /dev/null; echo x > file; mkdir -p a/b; pwd");
  ASSERT_TRUE(ran.ok()) << ran.err;
  EXPECT_THAT(ran.out, ::testing::StartsWith(place.outside + "/run-"));
  EXPECT_NE(::access(ran.out.substr(0, ran.out.size() - 1).c_str(), F_OK), 0) << "it is still there";
}

TEST_P(Walls, FilesOfSharedMemoryLieInTheScratchFolder) {
  if (GetParam() == Around::wallsWithoutView) GTEST_SKIP() << "not run: there is no view";
  if (::access("/dev/shm", F_OK) != 0) GTEST_SKIP() << "not run: this system has no /dev/shm";
  sandbox.mayStartProcesses = true;
  sandbox.scratch = place.outside;
  const Captured ran = shell("set -e; echo x > /dev/shm/wb-walls-lock; ls -A");
  ASSERT_TRUE(ran.ok()) << ran.err;
  EXPECT_EQ(ran.out, "wb-walls-lock\n");
  EXPECT_NE(::access("/dev/shm/wb-walls-lock", F_OK), 0);
}

TEST_P(Walls, DescriptorsPassOnlyWhereTheyAreNamed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  sandbox.mayStartProcesses = true;
  const auto fits = [&](bool named) {
    sandbox.descriptors = named ? std::vector<int>{ends[1]} : std::vector<int>{};
    Command command = commandOf({"self", "--write", std::to_string(ends[1])}, GetParam());
    command.descriptors = {ends[1]};
    const auto ran = runToEnd(command, std::chrono::seconds{20});
    return ran && ran->ok();
  };
  EXPECT_FALSE(fits(false));
  EXPECT_TRUE(fits(true));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_P(Walls, ThereAreNoCapabilities) {
  sandbox.mayStartProcesses = true;
  const Captured ran = shell("grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs|Seccomp):' /proc/self/status");
  for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
    EXPECT_THAT(ran.out, HasSubstr(std::string(name) + ":\t0000000000000000\n"));
  EXPECT_THAT(ran.out, HasSubstr("NoNewPrivs:\t1\n"));
  EXPECT_THAT(ran.out, HasSubstr("Seccomp:\t2\n"));
}

TEST_P(Walls, StandInOneAnother) {
  sandbox.mayStartProcesses = true;
  Sandbox inner = sandbox;
  inner.writable.clear();
  std::vector<std::string> words =
      commandOf({"sh", "-c", "echo x > " + place.scratch + "/file"}, Around::wallsWithoutView).argv;
  // Without its own refusal of namespaces: that of the outer walls is tried.
  words.erase(words.begin(), words.begin() + 2);
  EXPECT_TRUE(run(words, GetParam()).ok());
  sandbox.writable.clear();
  words = commandOf({"sh", "-c", "echo x > " + place.scratch + "/file"}, Around::wallsWithoutView).argv;
  words.erase(words.begin(), words.begin() + 2);
  sandbox.writable = {place.scratch};
  const Captured refusedInside = run(words, GetParam());
  EXPECT_NE(refusedInside.ending, Ending{});
  EXPECT_NE(refusedInside.ending.exitCode, noWallsExit) << refusedInside.err;
}

TEST_F(SandboxTest, WhatIsMissingIsSaid) {
  SandboxSupport none;
  none.landlock.missing = "no Landlock";
  none.seccomp.missing = "no seccomp";
  none.namespaces.missing = "no namespaces";
  EXPECT_THAT(missingWalls(sandbox, none), ::testing::ElementsAre("no Landlock", "no seccomp"));
  sandbox.needsNamespaces = true;
  EXPECT_THAT(missingWalls(sandbox, none),
              ::testing::ElementsAre("no Landlock", "no seccomp", "no namespaces"));
  EXPECT_THAT(missingWalls(sandbox, {7, {true, {}}, {true, {}}, {true, {}}}), ::testing::IsEmpty());
  for (const WallSupport* wall :
       {&sandboxSupport().landlock, &sandboxSupport().seccomp, &sandboxSupport().namespaces})
    EXPECT_EQ(wall->there, wall->missing.empty()) << wall->missing;
}

}  // namespace
}  // namespace wb::walls
