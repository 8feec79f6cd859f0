// SPDX-License-Identifier: Apache-2.0
// Hosts and networks that are bad in every way, and what many runs leave behind.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "core/base/files/file.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/hosts/small_disk.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RemoteFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!host.missing().empty()) GTEST_SKIP() << host.missing();
    ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", 1);
    ::setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test", 1);
  }
  void TearDown() override {
    ::unsetenv("WARPBENCH_WORKER");
    ::unsetenv("WARPBENCH_CACHE");
    if (!host.missing().empty()) return;
    EXPECT_TRUE(host.isQuiet()) << "something still runs there";
    EXPECT_TRUE(host.isLeft()) << "something here still speaks to it";
  }
  [[nodiscard]] std::unique_ptr<Runner> runner() const {
    RunnerOptions options = quickOptions();
    options.warmSpare = false;
    return std::make_unique<Runner>(remoteLauncher(host.target(), WB_BINARY_DIR "/bin"), "cpu", options);
  }
  /// A run that must come to its end with every case of it.
  void expectWhole(Recorder& run) const {
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::finished) << (report.failure ? describe(*report.failure) : "");
    EXPECT_TRUE(report.losses.empty());
    EXPECT_THAT(run.verdicts(), Not(Contains(Verdict::notRun)));
  }
  [[nodiscard]] std::string refusal(bool inWalls = false) const {
    const auto refused = runner();
    Job job = fakeJob();
    job.sandbox = inWalls;
    Recorder run(job, Losses::any);
    run.submit(*refused);
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::workerLost);
    return report.failure ? describe(*report.failure) : "";
  }

  const SshHost host;
};

TEST_F(RemoteFaultsTest, AHostThatDoesNotExistIsNamed) {
  host.configure("HostName no..such");
  EXPECT_THAT(refusal(), HasSubstr("there is no host \"ssh://box/cpu\""));
}

TEST_F(RemoteFaultsTest, AHostWithoutAServerIsSaid) {
  host.configure("HostName 127.0.0.1\n  Port 1");
  EXPECT_THAT(refusal(), HasSubstr("ssh://box/cpu refuses the connection"));
}

TEST_F(RemoteFaultsTest, AShellThatSaysMuchAndChangesMuchDoesNoHarm) {
  ASSERT_TRUE(writeFileAtomically(
      host.home() / ".bashrc",
      "for i in 1 2 3 4 5 6 7 8 9; do echo \"WARPBENCH LINK $i conda init\"; done; head -c 20000 /dev/zero\n"
      "echo 'no changes made' >&2; IFS=b; cd /; alias exec=false; umask 000; export PS1='(base) $ '\n"));
  const auto away = runner();
  Recorder run(fakeJob());
  run.submit(*away);
  expectWhole(run);
  EXPECT_EQ(fs::status(host.cache()).permissions() & fs::perms::others_all, fs::perms::none);
}

TEST_F(RemoteFaultsTest, TwoComputersBringTheirProgramsAtOnce) {
  const auto one = runner(), other = runner();
  Recorder first(fakeJob()), second(fakeJob());
  first.submit(*one);
  second.submit(*other);
  expectWhole(first);
  expectWhole(second);
  const auto bundles = fs::directory_iterator(host.cache() / "bundles");
  EXPECT_EQ(std::distance(begin(bundles), end(bundles)), 1);
}

TEST_F(RemoteFaultsTest, ANetworkThatIsSlowAndCutsAgainAndAgainLosesNothing) {
  {
    const auto away = runner();
    Recorder run(fakeJob());
    run.submit(*away);
    expectWhole(run);
  }
  // The way back has room for a login and some cases.
  host.makeFaulty(0.002, 90000);
  host.signalConnections(SIGKILL);
  const auto away = runner();
  Job job = fakeJob({""});
  for (int i = 0; i < 60; ++i) job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  job.kernels[0].text = "// fake: --mismatch=none\n";
  const std::size_t before = host.connections();
  Recorder run(job);
  run.submit(*away);
  expectWhole(run);
  EXPECT_GT(host.connections(), before + 1) << "it was not cut";
}

TEST_F(RemoteFaultsTest, ADiskThatIsFullThereIsSaid) {
  const SmallDisk disk(host.cache(), "size=64k", 0);
  if (!disk.isThere()) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("there is no space left on ssh://box/cpu"),
                               HasSubstr("another folder by the option cache")));
  // What was begun is taken away, so that the next attempt has the room.
  EXPECT_TRUE(fs::is_empty(host.cache() / "bundles"));
}

TEST_F(RemoteFaultsTest, ADiskThatCannotBeWrittenThereIsSaid) {
  const SmallDisk disk(host.cache(), "size=64k", MS_RDONLY);
  if (!disk.isThere()) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("nothing can be written on ssh://box/cpu"), HasSubstr("by the option cache")));
}

TEST_F(RemoteFaultsTest, WallsThatTheHostCannotRaiseAreRefused) {
  host.withoutWalls();
  EXPECT_THAT(refusal(true), AllOf(HasSubstr("no walls can be raised here"), HasSubstr("Landlock"),
                                   HasSubstr(", on ssh://box/cpu")));
  const auto away = runner();
  Recorder run(fakeJob());
  run.submit(*away);
  expectWhole(run);
}

TEST_F(RemoteFaultsTest, AWorkerOfAnotherVersionIsRefused) {
  ASSERT_TRUE(writeFileAtomically(host.home() / ".bashrc", "export WARPBENCH_FAKE=--protocol=99\n"));
  EXPECT_THAT(refusal(), HasSubstr("version"));
}

/// All files that a host's user has, but for the sockets of shells.
std::set<std::string> filesIn(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) found.insert(entry.path().string());
  return found;
}

TEST_F(RemoteFaultsTest, ManyRunsLeaveNothingBehind) {
  const auto runOnce = [&] {
    const auto away = runner();
    Recorder run(fakeJob());
    run.submit(*away);
    expectWhole(run);
  };
  runOnce();
  const auto files = filesIn(host.folder());
  const auto open = openDescriptors();
  for (int i = 0, runs = runsInARow(200); i < runs; ++i) runOnce();
  EXPECT_EQ(openDescriptors(), open);
  EXPECT_TRUE(host.isQuiet() && host.isLeft());
  EXPECT_EQ(filesIn(host.folder()), files);
}

}  // namespace
}  // namespace wb
