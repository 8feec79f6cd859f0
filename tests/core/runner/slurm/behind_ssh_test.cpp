// SPDX-License-Identifier: Apache-2.0
// A cluster of this machine whose login node is reached by ssh.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "core/base/files/file.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/hosts/slurm_cluster.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

using testing::HasSubstr;

class SlurmBehindSsh : public testing::Test {
 protected:
  void SetUp() override {
    if (!host_.missing().empty()) GTEST_SKIP() << host_.missing();
    std::string why;
    cluster_ = SlurmCluster::start(why);
    if (!cluster_) GTEST_SKIP() << "no Slurm cluster: " << why;
    ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", 1);
    ::setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test", 1);
    std::string login;
    for (const char* name : {"SLURM_CONF", "PATH", "LD_LIBRARY_PATH"}) {
      const char* value = std::getenv(name);
      if (value != nullptr) login += fmt::format("export {}='{}'\n", name, value);
    }
    ASSERT_TRUE(writeFileAtomically(host_.home() / ".bashrc", login));
  }
  ~SlurmBehindSsh() override {
    ::unsetenv("WARPBENCH_WORKER");
    ::unsetenv("WARPBENCH_CACHE");
  }
  [[nodiscard]] std::unique_ptr<Runner> runnerOn(const std::string& cluster) const {
    const RunTarget login = host_.target();
    const auto target =
        parseTarget(fmt::format("ssh://box/{}&config={}", cluster, optionOf(login, "config")));
    EXPECT_TRUE(target) << describe(target.error());
    RunTarget there = *target;
    there.cache = login.cache;
    return std::make_unique<Runner>(remoteLauncher(there, WB_BINARY_DIR "/bin"), "cuda:0", quickOptions());
  }

  SshHost host_;

 private:
  std::unique_ptr<SlurmCluster> cluster_;
};

TEST_F(SlurmBehindSsh, RunsWaitAndEndAsOnTheLoginNode) {
  Recorder there(fakeJob({"--mode=segfault:3", ""})), here(fakeJob({"--mode=segfault:3", ""}));
  {
    const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
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

  SlurmCluster::ask({"salloc", "--no-shell", "--nodes=4", "--exclusive", "--job-name=others"});
  const auto runner = runnerOn("slurm://gpu?gres=gpu:1&time=5");
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
  EXPECT_TRUE(host_.isQuiet());
}

}  // namespace
}  // namespace wb
