// SPDX-License-Identifier: Apache-2.0
// Runs that are handed over to a cluster, by the programs that people call.
#include <gmock/gmock.h>

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

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BatchCommands : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::ofstream(folder_ / "relu.cpp") << "// fake: --mismatch=1\n";
  }
  std::vector<std::string> runWith(std::vector<std::string> more) {
    std::vector<std::string> words{"run",     "relu.cpp", "--op",     "relu",
                                   "--suite", "smoke",    "--stages", "compile,check"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(BatchCommands, DetachNeedsATarget) {
  const Captured none = run(runWith({"--detach"}));
  EXPECT_EQ(none.ending.exitCode, ExitStatus::usage);
  EXPECT_THAT(none.err, HasSubstr("--detach needs one --target"));
  const Captured unknown = run({"attach", "20260101-000000-0000"});
  EXPECT_EQ(unknown.ending.exitCode, ExitStatus::usage);
  EXPECT_THAT(unknown.err, HasSubstr("there is no run"));
}

TEST_F(BatchCommands, ARunMayGoOnHereWithoutAScheduler) {
  const Captured detached = run(runWith({"--detach", "--target", "local cpu"}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  EXPECT_THAT(detached.err, HasSubstr("started as process"));
  const Captured attached = run({"attach", detached.out.substr(0, detached.out.find('\n'))});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
  EXPECT_THAT(attached.out, HasSubstr("relu"));
}

TEST_F(BatchCommands, PrintScriptSubmitsNothing) {
  const Captured printed =
      run(runWith({"--print-script", "--workers", "3", "--target", "slurm://gpu?gres=gpu:1"}));
  EXPECT_EQ(printed.ending.exitCode, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr("#SBATCH --array=0-2\n"), HasSubstr("warpbench' shard '")));
}

TEST_F(BatchCommands, ADetachedRunGivesTheReportOfAnyOther) {
  std::string why;
  const auto cluster = SlurmCluster::start(why);
  if (!cluster) GTEST_SKIP() << "no Slurm cluster: " << why;
  const Captured detached =
      run(runWith({"--detach", "--workers", "3", "--target", "slurm://gpu?cpus=1&time=5"}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  const std::string id = detached.out.substr(0, detached.out.find('\n'));
  const Captured attached = run({"attach", id, "--json", "-"});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
  const Captured here = run(runWith({"--device", "cpu", "--json", "-"}));
  const auto reportIn = [](const Captured& captured) {
    const auto json = parseJson(captured.out);
    return json ? reportFromJson(*json) : Result<Report>(json.error());
  };
  const auto one = reportIn(here), other = reportIn(attached);
  ASSERT_TRUE(one && other) << attached.out << attached.err;
  EXPECT_EQ(one->kernels[0]->cases, other->kernels[0]->cases);
  EXPECT_EQ(one->kernels[0]->counts, other->kernels[0]->counts);
  EXPECT_EQ(one->kernels[0]->compiled, other->kernels[0]->compiled);
  EXPECT_EQ(one->kernels[0]->diagnostics, other->kernels[0]->diagnostics);
  EXPECT_EQ(other->outcome, Outcome::finished);
}

TEST_F(BatchCommands, ARunThatIsPreemptedGoesOnWithWhatIsLeft) {
  std::string why;
  const auto cluster = SlurmCluster::start(why);
  if (!cluster) GTEST_SKIP() << "no Slurm cluster: " << why;
  const std::filesystem::path hold = folder_ / "hold";
  std::ofstream(folder_ / "relu.cpp") << "// fake: --mismatch=1 --hold=" << hold.string() << "\n";
  std::ofstream(hold) << "";
  const Captured detached = run(runWith({"--detach", "--target", "slurm://gpu?cpus=1&time=5"}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  const std::string id = detached.out.substr(0, detached.out.find('\n'));
  const std::filesystem::path events = folder_ / "data" / "batches" / id / "events-0.jsonl";
  const auto verdicts = [&] {
    const std::string text = readFile(events).value_or("");
    std::size_t count = 0;
    for (std::size_t at = text.find("\"verdict\""); at != std::string::npos;
         at = text.find("\"verdict\"", at + 1))
      ++count;
    return count;
  };
  const auto await = [](const std::function<bool()>& is) {
    const auto before = std::chrono::steady_clock::now() + std::chrono::seconds{40};
    while (!is() && std::chrono::steady_clock::now() < before)
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    EXPECT_TRUE(is());
  };
  await([&] { return verdicts() > 0; });
  const std::size_t before = verdicts();
  SlurmCluster::ask(
      {"salloc", "--no-shell", "--partition=urgent", "--nodes=4", "--exclusive", "--job-name=others"});
  await([] {
    return SlurmCluster::ask({"squeue", "--noheader", "--states=PENDING", "--format=%r"}) == "BeginTime\n";
  });
  SlurmCluster::ask({"scancel", "--name=others"});
  std::filesystem::remove(hold);
  // It would wait for two minutes, in which the scheduler lets the nodes settle.
  SlurmCluster::ask({"scontrol", "update", "jobname=warpbench-" + id, "StartTime=now"});
  const Captured attached = run({"attach", id, "--json", "-"});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
  const auto json = parseJson(attached.out);
  const auto report = json ? reportFromJson(*json) : Result<Report>(json.error());
  ASSERT_TRUE(report) << attached.out;
  EXPECT_EQ(report->outcome, Outcome::finished);
  EXPECT_THAT(report->losses, testing::IsEmpty());
  EXPECT_EQ(verdicts(), report->kernels[0]->cases.size()) << "of them " << before << " before";
}

}  // namespace
}  // namespace wb
