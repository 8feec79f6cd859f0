// SPDX-License-Identifier: Apache-2.0
// The fake worker on a cluster of this machine, started by srun.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/core/runner/slurm/slurm_fixture.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Slurm : public SlurmFixture {};

TEST_F(Slurm, GivesTheReportThatALocalWorkerGives) {
  const Job job = fakeJob({"--mode=segfault:3", "", "--mode=compile-error"});
  Recorder there(job), here(job);
  {
    const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
    there.submit(*runner);
    const Report& report = there.wait();
    EXPECT_EQ(report.target.device, "cuda:0");
    ASSERT_EQ(report.losses.size(), 1U);
    EXPECT_THAT(report.losses[0].how, HasSubstr("SIGSEGV"));
  }
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
  const auto local = std::make_unique<Runner>(fakeLauncher({}), "cuda:0", quickOptions());
  here.submit(*local);
  const Report &one = here.wait(), &other = there.wait();
  ASSERT_EQ(one.kernels.size(), other.kernels.size());
  for (std::size_t k = 0; k < one.kernels.size(); ++k) {
    ASSERT_EQ(one.kernels[k]->cases.size(), other.kernels[k]->cases.size()) << k;
    for (std::size_t i = 0; i < one.kernels[k]->cases.size(); ++i) {
      EXPECT_EQ(one.kernels[k]->cases[i].check.message, other.kernels[k]->cases[i].check.message) << k << i;
      EXPECT_EQ(one.kernels[k]->cases[i], other.kernels[k]->cases[i]) << k << i;
    }
    EXPECT_EQ(one.kernels[k]->counts, other.kernels[k]->counts) << k;
    EXPECT_EQ(one.kernels[k]->failure, other.kernels[k]->failure) << k;
  }
}

TEST_F(Slurm, SharesARunAmongNodesAndTellsTheWait) {
  std::vector<WorkerPlace> places;
  for (int i = 0; i < 3; ++i) places.push_back(place("slurm://gpu?gres=gpu:1&time=5", i));
  Job job = fakeJob({"--mismatch=none"});
  for (int i = 0; i < 60; ++i) job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  job.kernels[0].text = "// fake: --mismatch=none\n";
  Recorder run(job);
  {
    const auto runner = runnerOf(std::move(places));
    run.submit(*runner);
    EXPECT_EQ(run.wait().kernels[0]->counts.passed, 60);
  }
  ASSERT_TRUE(SlurmCluster::awaitNoJobs());

  occupyAll();
  Recorder waiting(fakeJob());
  const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
  StatusRecorder status(*runner);
  waiting.submit(*runner);
  const auto told =
      status.waitFor([](const WorkerStatus& now) { return now.waitsIn.ends_with("Resources"); });
  EXPECT_EQ(told.waitsIn, "the queue of gpu: Resources");
  leaveAll();
  EXPECT_EQ(waiting.wait().outcome, Outcome::finished);
  EXPECT_THAT(waiting.log("waiting"), HasSubstr("the queue of gpu: Resources"));
}

TEST_F(Slurm, WhatCannotStartSaysWhy) {
  Recorder none(fakeJob());
  const auto nowhere = runnerOn("slurm://fast?gres=gpu:1");
  none.submit(*nowhere);
  EXPECT_EQ(none.wait().outcome, Outcome::workerLost);
  ASSERT_TRUE(none.wait().failure);
  EXPECT_THAT(none.wait().failure->text, HasSubstr("no partition 'fast'"));

  Job inWalls = fakeJob();
  inWalls.sandbox = true;
  Recorder refused(inWalls);
  const auto anywhere = runnerOn("slurm://gpu?gres=gpu:1");
  refused.submit(*anywhere);
  EXPECT_EQ(refused.wait().outcome, Outcome::workerLost);
  ASSERT_TRUE(refused.wait().failure);
  EXPECT_THAT(refused.wait().failure->text,
              HasSubstr("walls (--sandbox) cannot be raised on a Slurm target"));

  Recorder never(fakeJob());
  occupyAll();
  const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5&wait=0.02");
  never.submit(*runner);
  EXPECT_EQ(never.wait().outcome, Outcome::workerLost);
  ASSERT_TRUE(never.wait().failure);
  EXPECT_THAT(never.wait().failure->text, HasSubstr("it waited 1.20 s in the queue of gpu"));
  EXPECT_TRUE(SlurmCluster::awaitJobs("others\n")) << SlurmCluster::jobs();
}

// srun gives a worker the environment of this process.
TEST_F(Slurm, AWorkerOfAnotherVersionIsRefusedAndGivesItsNodeBack) {
  ::setenv("WARPBENCH_FAKE", "--protocol=99", 1);
  const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
  Recorder run(fakeJob());
  run.submit(*runner);
  EXPECT_EQ(run.wait().outcome, Outcome::workerLost);
  ::unsetenv("WARPBENCH_FAKE");
  ASSERT_TRUE(run.wait().failure);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("the worker speaks version 99 of the protocol"));
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
}

TEST_F(Slurm, ProgramsMayLieAnywhereAndNothingHasToBeWritten) {
  const TemporaryFolder own;
  const fs::path folder = own.path() / "my 'own' \"programs\" $HOME";
  fs::create_directories(folder);
  const std::string worker = (folder / "worker").string();
  fs::copy_file(WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", worker);
  ::setenv("WARPBENCH_CACHE", "/proc/none", 1);
  auto target = parseTarget("slurm://gpu?gres=gpu:1&time=5");
  ASSERT_TRUE(target);
  Runner runner(slurmLauncher(*target, {worker, worker, {}}), slurmDevice(*target), options());
  Recorder run(fakeJob({"--mismatch=none"}, false));
  run.submit(runner);
  expectWhole(run);
  ::unsetenv("WARPBENCH_CACHE");
}

TEST_F(Slurm, CancelEndsTheKernelThere) {
  Recorder run(fakeJob({"--mode=hang:2"}), Losses::any);
  const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
  const auto id = run.submit(*runner);
  run.waitFor<CaseCheck>();
  EXPECT_THAT(SlurmCluster::jobs(), HasSubstr("RUNNING"));
  runner->cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
}

}  // namespace
}  // namespace wb
