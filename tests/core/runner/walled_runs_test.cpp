// SPDX-License-Identifier: Apache-2.0
// Which workers a run inside walls gets, and what they may see.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/runner/process/worker_walls.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;

struct Wishes {
  std::mutex mutex;
  std::vector<WorkerWish> all;
};

/// Launches fake workers, and remembers what was asked for.
class RememberingLauncher final : public Launcher {
 public:
  explicit RememberingLauncher(std::shared_ptr<Wishes> wishes) : wishes_(std::move(wishes)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    const std::lock_guard lock(wishes_->mutex);
    wishes_->all.push_back(wish);
    return inner_->launch(wish);
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }

 private:
  std::unique_ptr<Launcher> inner_ = fakeLauncher({});
  std::shared_ptr<Wishes> wishes_;
};

Outcome outcomeOf(Runner& runner, bool walls) {
  Job job = fakeJob();
  job.sandbox = walls;
  Recorder run(job);
  run.submit(runner);
  return run.wait().outcome;
}

TEST(WalledRuns, AWorkerInsideWallsWorksForOneRun) {
  if (const auto possible = checkSandbox(); !possible) GTEST_SKIP() << possible.error().text;
  auto wishes = std::make_shared<Wishes>();
  Runner runner(std::make_unique<RememberingLauncher>(wishes), "cpu", RunnerOptions{.warmSpare = false});
  for (const bool walls : {false, true, true, false}) EXPECT_EQ(outcomeOf(runner, walls), Outcome::finished);
  const std::lock_guard lock(wishes->mutex);
  std::vector<bool> walled;
  for (const WorkerWish& wish : wishes->all) walled.push_back(wish.walls.has_value());
  // The first worker serves both runs without walls.
  EXPECT_THAT(walled, ElementsAre(false, true, true));
  EXPECT_NE(wishes->all[1].walls->run, wishes->all[2].walls->run);
}

TEST(WalledRuns, WorkersThatWillJudgeAreAskedToMakeReady) {
  auto wishes = std::make_shared<Wishes>();
  Runner runner(std::make_unique<RememberingLauncher>(wishes), "cpu",
                RunnerOptions{.warmSpare = false, .python = true, .judges = true});
  EXPECT_EQ(outcomeOf(runner, false), Outcome::finished);
  const std::lock_guard lock(wishes->mutex);
  ASSERT_FALSE(wishes->all.empty());
  EXPECT_TRUE(wishes->all.front().python);
  EXPECT_TRUE(wishes->all.front().judges);
}

TEST(WalledRuns, ASourceAloneIsSeenWhereItsFolderHoldsMore) {
  std::string home = "/tmp/wb-home-XXXXXX";
  ASSERT_NE(::mkdtemp(home.data()), nullptr);
  fs::create_directory(home + "/kernels");
  for (const char* file : {"/relu.cpp", "/kernels/add.cpp"}) std::ofstream(home + file) << "x";
  const char* before = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
  const std::string kept = before != nullptr ? before : "";
  setenv("HOME", home.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  Job job;
  for (const char* file : {"/relu.cpp", "/kernels/add.cpp"}) {
    KernelSource source;
    source.path = home + file;
    job.kernels.push_back(source);
  }
  EXPECT_THAT(sourcePlaces(job), ElementsAre(home + "/kernels", home + "/relu.cpp"));
  const Sandbox sandbox =
      workerSandbox({"cpu", "/programs/worker", home + "/python/bin/python", {}}, home + "/run");
  EXPECT_THAT(sandbox.readable, Not(Contains(home)));
  EXPECT_THAT(sandbox.readable, Contains(home + "/python"));
  EXPECT_THAT(sandbox.writable, Each(testing::StartsWith(home + "/run/")));
  setenv("HOME", kept.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  fs::remove_all(home);
}

}  // namespace
}  // namespace wb
