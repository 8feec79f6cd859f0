// SPDX-License-Identifier: Apache-2.0
// What happens to runs that a cluster does while nobody watches: they go on with what is left, or say why
// not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files/file.h"
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
    std::ofstream(hold()) << "";
    const Captured detached = detach(environment);
    ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
    id_ = detached.out.substr(0, detached.out.find('\n'));
    await([&] { return verdicts() > 0; });
  }
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

// The scheduler ends a job whose time is over as it ends one that is cancelled, but says so in other words
// (Batches.WhatEndedThemBeforeTheirTimeIsReadFromTheirLogs), and looks for it every half minute only.
TEST_F(BatchFaults, ARunThatIsEndedBeforeItsTimeSaysByWhatAndGoesOnWhenItIsSubmittedAgain) {
  if (!hasCluster()) GTEST_SKIP() << "no Slurm cluster: " << missing_;
  detachHeld();
  const std::size_t before = verdicts();
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
