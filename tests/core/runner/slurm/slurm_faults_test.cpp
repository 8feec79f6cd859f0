// SPDX-License-Identifier: Apache-2.0
// What happens to jobs of a cluster: each has words of its own, and no finished case is lost.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <set>

#include "core/runner/remote/target_places.h"
#include "core/runner/sanitizer/sanitizer.h"
#include "tests/core/runner/slurm/slurm_fixture.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* oneGpu = "slurm://gpu?gres=gpu:1&time=5";

class SlurmFaults : public SlurmFixture {};

TEST_F(SlurmFaults, ALostNodeIsNoFaultOfTheKernel) {
  Recorder run(heldJob());
  const auto runner = runnerOn(oneGpu);
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  SlurmCluster::ask(
      {"scontrol", "update", "nodename=" + SlurmCluster::ofJob("%N"), "state=down", "reason=x"});
  run.waitForLog("place");
  letGo();
  expectWhole(run);
  // Slurm says one or the other, whichever of its programs is heard first.
  EXPECT_THAT(run.log("place"), AnyOf(HasSubstr("taken out of service"), HasSubstr("its node failed")));
}

TEST_F(SlurmFaults, ADrainedNodeEndsWhatItHas) {
  Recorder run(heldJob());
  const auto runner = runnerOn(oneGpu);
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  const std::string node = SlurmCluster::ofJob("%N"), job = SlurmCluster::ofJob("%A");
  SlurmCluster::ask({"scontrol", "update", "nodename=" + node, "state=drain", "reason=x"});
  EXPECT_THAT(SlurmCluster::ask({"sinfo", "--noheader", "--nodes=" + node, "--format=%t"}),
              HasSubstr("drng"));
  letGo();
  expectWhole(run);
  EXPECT_EQ(run.log("place"), "");
  // The worker that it has is used on; the next job goes elsewhere.
  EXPECT_EQ(SlurmCluster::ofJob("%A"), job);
  Recorder next(heldJob());
  SlurmCluster::ask({"scancel", job});
  next.submit(*runner);
  next.waitFor<CaseCheck>();
  EXPECT_NE(SlurmCluster::ofJob("%N"), node);
  letGo();
  next.wait();
}

TEST_F(SlurmFaults, AJobThatOthersCancelGoesOnInAnother) {
  Recorder run(heldJob());
  const auto runner = runnerOn(oneGpu);
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  SlurmCluster::ask({"scancel", SlurmCluster::ofJob("%A")});
  run.waitForLog("place");
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("place"), HasSubstr("its job was cancelled"));
}

TEST_F(SlurmFaults, AJobThatIsPreemptedWaitsAndGoesOn) {
  Recorder run(heldJob());
  const auto runner = runnerOn(oneGpu);
  StatusRecorder status(*runner);
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  occupyAll("urgent");
  status.waitFor([](const WorkerStatus& now) { return now.waitsIn.starts_with("the queue of gpu: "); });
  leaveAll();
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("place"), HasSubstr("its job was preempted by another one"));
}

// The scheduler looks for jobs whose time is over every half minute.
TEST_F(SlurmFaults, AJobWhoseTimeIsOverGoesOnInAnother) {
  Recorder run(heldJob());
  const auto runner = runnerOn(oneGpu);
  run.submit(*runner);
  run.waitFor<CaseCheck>();
  SlurmCluster::ask({"scontrol", "update", "jobid=" + SlurmCluster::ofJob("%A"), "TimeLimit=0"});
  run.waitForLog("place");
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("place"), HasSubstr("the time limit of its job was reached"));
}

TEST_F(SlurmFaults, AJobIsKeptForTheNextRunAndGivenBackWhenThereIsNone) {
  RunnerOptions shortly = options();
  shortly.idleSeconds = 1;
  const auto runner = runnerOn(oneGpu, shortly);
  const auto runOnce = [&] {
    Recorder run(fakeJob());
    run.submit(*runner);
    EXPECT_EQ(run.wait().outcome, Outcome::finished);
  };
  runOnce();
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
  runOnce();
  shortly.idleSeconds = 600;
  const auto keeping = runnerOn(oneGpu, shortly);
  Recorder first(fakeJob()), second(fakeJob());
  first.submit(*keeping);
  first.wait();
  const std::string job = SlurmCluster::ofJob("%A");
  second.submit(*keeping);
  EXPECT_EQ(second.wait().outcome, Outcome::finished);
  EXPECT_EQ(SlurmCluster::ofJob("%A"), job);
}

TEST_F(SlurmFaults, TheSanitizerWatchesThereAndItsLogComesBack) {
  const TemporaryFolder own;
  const fs::path messages = WB_SOURCE_DIR "/tests/core/runner/sanitizer";
  fs::create_directories(own.path() / "bin");
  fs::copy_file(messages / "compute-sanitizer", own.path() / "bin" / "compute-sanitizer");
  ::setenv("CUDA_HOME", own.path().c_str(), 1);
  ::setenv("FAKE_SANITIZER_MESSAGES", messages.c_str(), 1);
  ::setenv("WARPBENCH_CACHE", (own.path() / "cache").c_str(), 1);
  Job job = fakeJob({"--mismatch=none"});
  job.sanitizer = "memcheck";
  job.stages.add(Stage::sanitize);
  job.kernels[0].path = "oob_demo.cu";
  Recorder run(job), none(job, Losses::any);
  {
    const auto runner = runnerOn(oneGpu);
    run.submit(*runner);
    EXPECT_EQ(run.wait().outcome, Outcome::finished) << run.log("place");
    EXPECT_FALSE(run.wait().kernels[0]->diagnostics.empty());
  }
  EXPECT_TRUE(fs::is_empty(own.path() / "cache" / "sanitizer")) << "logs are left";
  // Where neither this machine nor the node has it, that is said.
  ::setenv("CUDA_HOME", "/nowhere", 1);
  const auto runner = runnerOn(oneGpu);
  none.submit(*runner);
  if (!findSanitizer()) {
    ASSERT_TRUE(none.wait().failure);
    EXPECT_THAT(none.wait().failure->text, HasSubstr("the node has no compute-sanitizer"));
  }
  for (const char* name : {"CUDA_HOME", "FAKE_SANITIZER_MESSAGES", "WARPBENCH_CACHE"}) ::unsetenv(name);
}

TEST_F(SlurmFaults, OneTargetTwiceIsTwoJobs) {
  const auto target = parseTarget(oneGpu);
  ASSERT_TRUE(target);
  auto places = placesOf(*target, 2);
  auto again = placesOf(*target, 1);
  ASSERT_TRUE(places && again);
  for (WorkerPlace& each : *again) places->push_back(std::move(each));
  numberJobs(*places);
  std::set<std::string> hosts;
  for (const WorkerPlace& each : *places) hosts.insert(each.host);
  EXPECT_THAT(hosts, testing::ElementsAre("slurm://gpu, job 1", "slurm://gpu, job 2", "slurm://gpu, job 3"));
}

TEST_F(SlurmFaults, ManyRunsLeaveNothingBehind) {
  const TemporaryFolder own;
  const std::string daemon = (own.path() / "daemon").string();
  const auto runOnce = [&] {
    {
      const auto runner = runnerOn(oneGpu);
      Recorder run(fakeJob({"--daemon=" + daemon}));
      run.submit(*runner);
      EXPECT_EQ(run.wait().outcome, Outcome::finished) << run.log("place");
    }
    // Slurm knows nothing of a daemon whose parent is gone.
    const int left = std::atoi(readFile(daemon).value_or("0").c_str());
    ASSERT_GT(left, 0);
    EXPECT_NE(::kill(left, 0), 0) << "a daemon is left";
    if (::kill(left, 0) == 0) ::kill(left, SIGKILL);
  };
  runOnce();
  const auto open = openDescriptors();
  const std::string before = ownChildren();
  // Each takes a tenth of a second here.
  for (int i = 0, runs = runsInARow(20); i < runs; ++i) runOnce();
  EXPECT_EQ(openDescriptors(), open);
  EXPECT_EQ(ownChildren(), before);
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
}

}  // namespace
}  // namespace wb
