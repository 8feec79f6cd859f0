// SPDX-License-Identifier: Apache-2.0
// A cluster of this machine whose login node is reached by ssh.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/files/file.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/runner/held_cases.h"
#include "tests/core/service/temporary_folder.h"
#include "tests/hosts/login_node.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* oneGpu = "slurm://gpu?gres=gpu:1&time=5";

class SlurmBehindSsh : public testing::Test, protected HeldCases {
 protected:
  void SetUp() override {
    if (!login_.missing().empty()) GTEST_SKIP() << login_.missing();
    ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", 1);
    ::setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test", 1);
  }
  ~SlurmBehindSsh() override {
    ::unsetenv("WARPBENCH_WORKER");
    ::unsetenv("WARPBENCH_CACHE");
  }
  [[nodiscard]] std::unique_ptr<Runner> runnerOn(const std::string& cluster) const {
    return std::make_unique<Runner>(remoteLauncher(login_.target(cluster), WB_BINARY_DIR "/bin"), "cuda:0",
                                    quickOptions());
  }

  const LoginNode login_;
};

TEST_F(SlurmBehindSsh, RunsWaitAndEndAsOnTheLoginNode) {
  Recorder there(fakeJob({"--mode=segfault:3", ""})), here(fakeJob({"--mode=segfault:3", ""}));
  {
    const auto runner = runnerOn(oneGpu);
    there.submit(*runner);
    EXPECT_EQ(there.wait().outcome, Outcome::finished)
        << (there.wait().failure ? describe(*there.wait().failure) : there.log("worker"));
  }
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
  const auto local = std::make_unique<Runner>(fakeLauncher({}), "cuda:0", quickOptions());
  here.submit(*local);
  here.wait();
  for (std::size_t kernel = 0; kernel < 2; ++kernel) EXPECT_EQ(there.verdicts(kernel), here.verdicts(kernel));

  const auto nowhere = runnerOn("slurm://fast?gres=gpu:1");
  Recorder none(fakeJob(), Losses::any);
  none.submit(*nowhere);
  ASSERT_TRUE(none.wait().failure);
  EXPECT_THAT(none.wait().failure->text, HasSubstr("the cluster has no partition 'fast'"));

  Job job = fakeJob();
  job.sandbox = true;
  const auto anywhere = runnerOn(oneGpu);
  Recorder inWalls(job, Losses::any);
  inWalls.submit(*anywhere);
  ASSERT_TRUE(inWalls.wait().failure);
  EXPECT_THAT(inWalls.wait().failure->text,
              HasSubstr("walls (--sandbox) cannot be raised on a Slurm target"));

  SlurmCluster::ask({"salloc", "--no-shell", "--nodes=4", "--exclusive", "--job-name=others"});
  const auto runner = runnerOn(oneGpu);
  StatusRecorder status(*runner);
  Recorder waiting(fakeJob({"--mode=hang:2"}), Losses::any);
  const auto id = waiting.submit(*runner);
  EXPECT_EQ(
      status.waitFor([](const WorkerStatus& now) { return now.waitsIn.ends_with("Resources"); }).waitsIn,
      "the queue of gpu: Resources");
  SlurmCluster::ask({"scancel", "--name=others"});
  waiting.waitFor<CaseCheck>();
  runner->cancel(id);
  EXPECT_EQ(waiting.wait().outcome, Outcome::cancelled);
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
  EXPECT_TRUE(login_.host().isQuiet());
}

TEST_F(SlurmBehindSsh, AQueueThatNeverStartsIsToldAndLeft) {
  SlurmCluster::ask({"salloc", "--no-shell", "--nodes=4", "--exclusive", "--job-name=others"});
  const auto runner = runnerOn(oneGpu);
  StatusRecorder status(*runner);
  Recorder given(fakeJob());
  const auto id = given.submit(*runner);
  status.waitFor([](const WorkerStatus& now) { return now.waitsIn == "the queue of gpu: Resources"; });
  runner->cancel(id);
  EXPECT_EQ(given.wait().outcome, Outcome::cancelled);
  EXPECT_THAT(given.log("waiting"), HasSubstr("the queue of gpu: Resources"));
  EXPECT_TRUE(SlurmCluster::awaitJobs("others\n")) << SlurmCluster::jobs();

  const auto limited = runnerOn(std::string(oneGpu) + "&wait=0.02");
  Recorder never(fakeJob());
  never.submit(*limited);
  EXPECT_EQ(never.wait().outcome, Outcome::workerLost);
  ASSERT_TRUE(never.wait().failure);
  EXPECT_THAT(never.wait().failure->text, HasSubstr("it waited 1.20 s in the queue of gpu"));
  EXPECT_TRUE(SlurmCluster::awaitJobs("others\n")) << SlurmCluster::jobs();
}

TEST_F(SlurmBehindSsh, FilesBesideAKernelGoThereToo) {
  const TemporaryFolder own;
  ASSERT_TRUE(writeFileAtomically(own.path() / "my 'kernels'" / "beside.h", "// this came along\n"));
  Job job = fakeJob({"--mismatch=none --tell-file=beside.h"}, false);
  job.kernels[0].path = (own.path() / "my 'kernels'" / "relu.cu").string();
  job.kernels[0].text = "#include \"beside.h\"\n" + job.kernels[0].text;
  const auto runner = runnerOn(oneGpu);
  Recorder run(job);
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished) << (report.failure ? describe(*report.failure) : "");
  std::string log;
  for (std::size_t i = 0; i < report.log.size(); ++i) log += report.log[i].text + "\n";
  EXPECT_THAT(log, AllOf(HasSubstr("this came along"), HasSubstr((own.path() / "my 'kernels'").string())));
}

TEST_F(SlurmBehindSsh, WhatBefallsItsNodesAndJobsIsNoFaultOfTheKernel) {
  const auto runner = runnerOn(oneGpu);
  const auto befall = [&](const std::function<void()>& harm) {
    Recorder run(heldJob());
    run.submit(*runner);
    run.waitFor<CaseCheck>();
    harm();
    run.waitForLog("place");
    letGo();
    expectWhole(run);
    return run.log("place");
  };
  EXPECT_THAT(befall([] {
                SlurmCluster::ask({"scontrol", "update", "nodename=" + SlurmCluster::ofJob("%N"),
                                   "state=down", "reason=x"});
              }),
              AnyOf(HasSubstr("taken out of service"), HasSubstr("its node failed")));
  EXPECT_THAT(befall([] {
                SlurmCluster::ask({"scancel", SlurmCluster::ofJob("%A")});
              }),
              HasSubstr("its job was cancelled"));

  // A node that is drained ends what it has.
  Recorder run(heldJob());
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  SlurmCluster::ask(
      {"scontrol", "update", "nodename=" + SlurmCluster::ofJob("%N"), "state=drain", "reason=x"});
  letGo();
  expectWhole(run);
  EXPECT_EQ(run.log("place"), "");
}

TEST_F(SlurmBehindSsh, ALostConnectionAndALostLoginNodeLoseNoCase) {
  auto runner = runnerOn(oneGpu);
  Recorder run(heldJob());
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  const std::string job = SlurmCluster::ofJob("%A");
  login_.host().signalConnections(SIGKILL);
  run.waitForLog("connection", "is lost");
  letGo();
  expectWhole(run);
  EXPECT_EQ(run.log("place"), "");
  EXPECT_EQ(SlurmCluster::ofJob("%A"), job) << "the worker went on there";

  // What Warpbench has there is killed, as when the login node is started anew.
  Recorder other(heldJob());
  other.submit(*runner);
  other.waitFor<CaseCheck>();
  EXPECT_GE(login_.host().killPrograms("warpbench-reach"), 1);
  other.waitForLog("place");
  letGo();
  expectWhole(other);
  EXPECT_THAT(other.log("place"),
              HasSubstr("the worker there has ended. What it has left goes on in another"));
  runner.reset();
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << "a job holds a GPU for nobody: " << SlurmCluster::jobs();
  EXPECT_TRUE(login_.host().isQuiet());
}

TEST_F(SlurmBehindSsh, TwoComputersUseALoginNodeThatSaysMuch) {
  const std::filesystem::path login = login_.host().home() / ".bashrc";
  ASSERT_TRUE(writeFileAtomically(
      login, readFile(login).value_or("") +
                 "echo 'Welcome to the cluster! (base) conda init'; head -c 20000 /dev/zero\n"
                 "echo 'no changes made' >&2; IFS=b; cd /; alias exec=false; umask 000\n"));
  const auto one = runnerOn(oneGpu), other = runnerOn(oneGpu);
  Recorder first(fakeJob({"--mismatch=none"}, false)), second(fakeJob({"--mismatch=none"}, false));
  first.submit(*one);
  second.submit(*other);
  expectWhole(first);
  expectWhole(second);
  const auto bundles = std::filesystem::directory_iterator(login_.host().cache() / "bundles");
  EXPECT_EQ(std::distance(begin(bundles), end(bundles)), 1);
}

}  // namespace
}  // namespace wb
