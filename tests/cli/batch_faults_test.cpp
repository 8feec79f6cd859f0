// SPDX-License-Identifier: Apache-2.0
// What happens to runs that a cluster does while nobody watches: they go on with what is left, or say why
// not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files/file.h"
#include "core/base/process/programs.h"
#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/slurm_cluster.h"
#include "tests/hosts/small_disk.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class BatchFaults : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::ofstream(folder_ / "relu.cpp") << "// fake: --mismatch=1 --hold=" << hold().string() << "\n";
  }
  /// False where there can be no cluster on this machine, which the test then says.
  [[nodiscard]] bool hasCluster() {
    if (!cluster_) cluster_ = SlurmCluster::start(missing_);
    return cluster_ != nullptr;
  }
  Captured detach(const Environment& environment = {}) {
    return run({"run", "relu.cpp", "--op", "relu", "--suite", "smoke", "--stages", "compile,check",
                "--detach", "--target", "slurm://gpu?cpus=1&time=5"},
               environment);
  }
  /// Hands over a run of which only the first case ends before letGo(), and waits for that.
  void detachHeld(const Environment& environment = {}) {
    holdCases();
    const Captured detached = detach(environment);
    ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
    id_ = detached.out.substr(0, detached.out.find('\n'));
    await([&] { return verdicts() > 0; });
  }
  void holdCases() const { std::ofstream(hold()) << ""; }
  void letGo() const { fs::remove(hold()); }
  [[nodiscard]] fs::path batch() const { return folder_ / "data" / "batches" / id_; }
  /// How many verdicts the run has written.
  [[nodiscard]] std::size_t verdicts() const {
    const std::string text = readFile(batch() / "events-0.jsonl").value_or("");
    std::size_t count = 0;
    for (std::size_t at = text.find("\"verdict\""); at != std::string::npos;
         at = text.find("\"verdict\"", at + 1))
      ++count;
    return count;
  }
  /// The scheduler has put the run back into the queue.
  static void awaitRequeue() {
    await([] {
      return SlurmCluster::ask({"squeue", "--noheader", "--format=%T|%r"}) == "PENDING|BeginTime\n";
    });
  }
  /// In the queue it would wait for two minutes. A node refuses to start a job in the very second in which it
  /// has stopped it, and the scheduler then takes the job for failed.
  void startSoon(const std::string& butNotOn = {}) const {
    SlurmCluster::ask(
        {"scontrol", "update", "jobname=warpbench-" + id_, "StartTime=now+2", "ExcNodeList=" + butNotOn});
  }
  void submitAgain() {
    const Captured submitted = runProgram({"sbatch", (batch() / "script.sh").string()});
    EXPECT_EQ(submitted.ending.exitCode, 0) << submitted.err;
  }
  /// The run comes to its end with every case of it, and none of them was done twice.
  void expectWhole() {
    const Captured attached = run({"attach", id_, "--json", "-"});
    EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
    const auto json = parseJson(attached.out);
    const auto report = json ? reportFromJson(*json) : Result<Report>(json.error());
    ASSERT_TRUE(report) << attached.out;
    EXPECT_EQ(report->outcome, Outcome::finished);
    EXPECT_THAT(report->losses, testing::IsEmpty());
    EXPECT_EQ(verdicts(), report->kernels[0]->cases.size());
  }
  static void await(const std::function<bool()>& is) {
    const auto before = std::chrono::steady_clock::now() + std::chrono::seconds{40};
    while (!is() && std::chrono::steady_clock::now() < before)
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    EXPECT_TRUE(is());
  }

  std::string missing_, id_;

 private:
  [[nodiscard]] fs::path hold() const { return folder_ / "hold"; }
  std::unique_ptr<SlurmCluster> cluster_;
};

TEST_F(BatchFaults, ARunThatIsPreemptedGoesOnWithWhatIsLeft) {
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  detachHeld();
  SlurmCluster::ask(
      {"salloc", "--no-shell", "--partition=urgent", "--nodes=4", "--exclusive", "--job-name=others"});
  SlurmCluster::ask({"scancel", "--name=others"});
  awaitRequeue();
  letGo();
  startSoon();
  expectWhole();
}

// A shell that says much when the script begins does it no harm.
TEST_F(BatchFaults, ARunWhoseNodeIsLostGoesOnOnAnother) {
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  std::ofstream(folder_ / "noise") << "echo '(base) conda init'; echo 'no changes made' >&2; cd /\n";
  detachHeld({{"BASH_ENV", (folder_ / "noise").string()}});
  const std::string node = SlurmCluster::ofJob("%N");
  SlurmCluster::ask({"scontrol", "update", "nodename=" + node, "state=down", "reason=x"});
  awaitRequeue();
  letGo();
  // The node reports itself back by and by. Where it still has the job it refuses that, which is then held.
  startSoon(node);
  expectWhole();
  EXPECT_THAT(readFile(batch() / "log-0.txt").value_or(""),
              AllOf(HasSubstr("conda init"), HasSubstr("DUE TO NODE FAILURE")));
}

TEST_F(BatchFaults, AttachWaitsForASchedulerThatDoesNotAnswer) {
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  detachHeld();
  // The scheduler's program answers, and says so, as long as no file stands in its way.
  const fs::path squeue = folder_ / "bin" / "squeue", away = folder_ / "away", asked = folder_ / "asked";
  ASSERT_TRUE(writeFileAtomically(
      squeue, fmt::format("#!/bin/sh\n"
                          "if [ -e '{0}' ]; then\n"
                          "  echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2\n"
                          "  exit 1\n"
                          "fi\n"
                          "touch '{1}'\n"
                          "exec '{2}' \"$@\"\n",
                          away.string(), asked.string(), findProgram("squeue").string())));
  fs::permissions(squeue, fs::perms::owner_all);
  const std::string path = fmt::format("{}:{}", squeue.parent_path().string(), std::getenv("PATH"));
  auto following =
      Child::start({.argv = {WB_BINARY_DIR "/bin/warpbench", "attach", id_},
                    .folder = folder_,
                    .environment = {{"WARPBENCH_DATA", (folder_ / "data").string()}, {"PATH", path}}});
  ASSERT_TRUE(following);
  auto readUntil = [&, said = std::string()](const std::string& words) mutable {
    for (char byte = 0; said.find(words) == std::string::npos && ::read(following->errors(), &byte, 1) == 1;)
      said += byte;
    EXPECT_THAT(said, HasSubstr(words));
  };
  await([&] { return fs::exists(asked); });
  std::ofstream(away) << "";
  readUntil("is asked for again and again: the cluster's scheduler does not answer");
  fs::remove(away);
  readUntil("is in reach again");
  letGo();
  const auto [ended, how] = following->wait(std::chrono::seconds{30});
  EXPECT_TRUE(ended);
  EXPECT_EQ(how.exitCode, ExitStatus::failed);
}

// Only a node that does not know that it was given up leaves two attempts at work.
TEST_F(BatchFaults, AnAttemptEndsWhenAnotherHasBegun) {
  const Captured printed = run({"run", "relu.cpp", "--op", "relu", "--suite", "smoke", "--stages",
                                "compile,check", "--print-script", "--target", "slurm://gpu?cpus=1"});
  ASSERT_EQ(printed.ending.exitCode, 0) << printed.err;
  id_ = fs::directory_iterator(folder_ / "data" / "batches")->path().filename().string();
  holdCases();
  const auto attempt = [&] {
    auto child = Child::start(
        {.argv = {WB_BINARY_DIR "/bin/warpbench", "shard", batch().string()},
         .folder = folder_,
         .environment = {{"WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker"}}});
    EXPECT_TRUE(child);
    return *std::move(child);
  };
  Child first = attempt();
  await([&] { return verdicts() > 0; });
  const std::string claimed = readFile(batch() / "claim-0").value_or("");
  Child second = attempt();
  await([&] { return readFile(batch() / "claim-0").value_or("") != claimed; });
  letGo();
  EXPECT_NE(first.wait(std::chrono::seconds{20}).second.exitCode, 0);
  EXPECT_EQ(second.wait(std::chrono::seconds{20}).second.exitCode, 0);
  std::string said;
  for (char byte = 0; ::read(first.errors(), &byte, 1) == 1;) said += byte;
  EXPECT_THAT(said, HasSubstr("another attempt at this part of the run has begun"));
  expectWhole();
}

// The scheduler ends a job whose time is over as it ends one that is cancelled, but says so in other words
// (Batches.WhatEndedThemBeforeTheirTimeIsReadFromTheirLogs), and looks for it every half minute only.
TEST_F(BatchFaults, ARunThatIsEndedBeforeItsTimeSaysByWhatAndGoesOnWhenItIsSubmittedAgain) {
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  detachHeld();
  const std::size_t before = verdicts();
  const Captured now = run({"attach", id_, "--now"});
  EXPECT_EQ(now.ending.exitCode, ExitStatus::underWay) << now.err;
  EXPECT_THAT(now.out, AllOf(HasSubstr("So far: 1 of"), testing::Not(HasSubstr("Cancelled"))));
  SlurmCluster::ask({"scancel", "--name=warpbench-" + id_});
  const Captured ended = run({"attach", id_, "--json", "-"});
  EXPECT_EQ(ended.ending.exitCode, ExitStatus::cancelled) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("0 of 1 parts have finished"),
                               HasSubstr("the run ended before its time: its job was cancelled"),
                               HasSubstr("CANCELLED AT"), HasSubstr("`sbatch ")));
  EXPECT_EQ(verdicts(), before);
  letGo();
  submitAgain();
  expectWhole();
}

TEST_F(BatchFaults, ARunWhoseDiskIsFullSaysSo) {
  // The cluster has to see the disk, so this stands first.
  const SmallDisk disk(folder_ / "data", "size=256k", 0);
  if (!disk.isThere()) GTEST_SKIP() << "nothing can be mounted here";
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  detachHeld();
  std::ofstream(folder_ / "data" / "others", std::ios::binary) << std::string(256 << 10, 'x');
  letGo();
  const Captured ended = run({"attach", id_, "--json", "-"});
  EXPECT_EQ(ended.ending.exitCode, ExitStatus::cancelled) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the run ended before its time: there is no space left in"));
  // What was written before is whole, and what is left is done when there is room again.
  fs::remove(folder_ / "data" / "others");
  submitAgain();
  expectWhole();
  // Where there is no room from the beginning on, nothing is handed over.
  std::ofstream(folder_ / "data" / "others", std::ios::binary) << std::string(256 << 10, 'x');
  const Captured refused = detach();
  EXPECT_NE(refused.ending.exitCode, 0);
  EXPECT_THAT(refused.err, HasSubstr("No space left on device"));
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
}

TEST_F(BatchFaults, AHomeThatCannotBeWrittenIsSaid) {
  const SmallDisk disk(folder_ / "data", "size=256k", MS_RDONLY);
  if (!disk.isThere()) GTEST_SKIP() << "nothing can be mounted here";
  const Captured refused = detach();
  EXPECT_NE(refused.ending.exitCode, 0);
  EXPECT_THAT(refused.err, HasSubstr("Read-only file system"));
}

}  // namespace
}  // namespace wb
