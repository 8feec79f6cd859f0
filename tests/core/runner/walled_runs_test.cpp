// SPDX-License-Identifier: Apache-2.0
// Which workers a run inside walls gets, and what they may see.
#include <gmock/gmock.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "core/base/process/process_tree.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/model/json/sandbox_text.h"
#include "core/runner/process/worker_process.h"
#include "core/runner/process/worker_walls.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

struct Wishes {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<WorkerWish> all;
  /// The processes that came of them; -1 where none did.
  std::vector<pid_t> processes;

  /// Blocks until so many workers were launched, and gives their numbers of walls: -1 outside of any, 0 for a
  /// run to come.
  std::vector<std::int64_t> first(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds{60}, [&] { return all.size() >= count; });
    std::vector<std::int64_t> numbers;
    for (const WorkerWish& wish : all) numbers.push_back(wish.walls ? std::int64_t{wish.walls->run} : -1);
    return numbers;
  }
};

/// Launches fake workers, and remembers what was asked for.
class RememberingLauncher final : public Launcher {
 public:
  explicit RememberingLauncher(std::shared_ptr<Wishes> wishes, std::vector<std::string> arguments = {})
      : inner_(fakeLauncher(std::move(arguments))), wishes_(std::move(wishes)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    const std::lock_guard lock(wishes_->mutex);
    Result<Child> child = inner_->launch(wish);
    wishes_->all.push_back(wish);
    wishes_->processes.push_back(child ? child->pid() : -1);
    wishes_->changed.notify_all();
    return child;
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }

 private:
  std::unique_ptr<Launcher> inner_;
  std::shared_ptr<Wishes> wishes_;
};

/// Whether a child of this process was reaped, or soon is.
bool isGone(pid_t process) {
  const auto before = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (::kill(process, 0) == 0)
    if (std::chrono::steady_clock::now() > before) return false;
  return true;
}

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

/// A runner that keeps a worker inside walls for the next run, as the service's do.
class WalledSpares : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto possible = checkSandbox(); !possible) GTEST_SKIP() << possible.error().text;
    begin({});
  }
  void begin(std::vector<std::string> arguments) {
    wishes_ = std::make_shared<Wishes>();
    runner_ =
        std::make_unique<Runner>(std::make_unique<RememberingLauncher>(wishes_, std::move(arguments)), "cpu",
                                 RunnerOptions{.warmSpare = false, .judges = true, .walledSpare = true});
  }
  /// The report of a run inside walls; `path` is where its kernel lies.
  Report walled(const std::string& path = {}) {
    Job job = fakeJob();
    job.sandbox = true;
    job.kernels.front().path = path;
    Recorder run(job, Losses::any);
    run.submit(*runner_);
    return run.wait();
  }

  std::shared_ptr<Wishes> wishes_;
  std::unique_ptr<Runner> runner_;
};

TEST_F(WalledSpares, TheNextRunFindsAWorkerThatIsUsedOnce) {
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(3), ElementsAre(1, -1, 0));
  EXPECT_EQ(walled().outcome, Outcome::finished);
  // The second run's worker is the spare, and the last one is the next run's.
  EXPECT_THAT(wishes_->first(4), ElementsAre(1, -1, 0, 0));
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(5), ElementsAre(1, -1, 0, 0, 0));
  // Who stands inside walls judges nobody.
  const std::lock_guard lock(wishes_->mutex);
  for (const WorkerWish& wish : wishes_->all) EXPECT_EQ(wish.judges, !wish.walls);
}

TEST_F(WalledSpares, ARunWithoutWallsLeavesItAlone) {
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(3), ElementsAre(1, -1, 0));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(outcomeOf(*runner_, false), Outcome::finished);
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(4), ElementsAre(1, -1, 0, 0));
}

TEST_F(WalledSpares, ARunThatReadsOtherFilesGetsAWorkerOfItsOwn) {
  const std::string file = fs::temp_directory_path().string() + "/warpbench-no-such-kernel.cpp";
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(3), ElementsAre(1, -1, 0));
  const pid_t spare = [&] {
    const std::lock_guard lock(wishes_->mutex);
    return wishes_->processes.back();
  }();
  EXPECT_EQ(walled(file).outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(5), ElementsAre(1, -1, 0, 2, 0));
  {
    const std::lock_guard lock(wishes_->mutex);
    EXPECT_THAT(wishes_->all.back().walls->readable, ElementsAre(file));
  }
  // It was ended, since its walls are no run's any more: the process is a child of this one.
  EXPECT_TRUE(isGone(spare));
}

TEST_F(WalledSpares, OneThatDiesIsReplacedAndTheNextRunSaysSo) {
  StatusRecorder statuses(*runner_);
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(3), ElementsAre(1, -1, 0));
  EXPECT_TRUE(statuses.waitFor([](const WorkerStatus& now) { return now.spareReady; }).spareReady);
  {
    const std::lock_guard lock(wishes_->mutex);
    ASSERT_EQ(::kill(wishes_->processes.back(), SIGKILL), 0);
  }
  EXPECT_THAT(wishes_->first(4), ElementsAre(1, -1, 0, 0));
  const Report next = walled();
  EXPECT_EQ(next.outcome, Outcome::finished);
  ASSERT_EQ(next.losses.size(), 1U);
  EXPECT_EQ(next.losses.front().blame, Blame::warpbench);
  EXPECT_THAT(wishes_->first(5), ElementsAre(1, -1, 0, 0, 0));
}

TEST_F(WalledSpares, EndWithTheRunner) {
  EXPECT_EQ(walled().outcome, Outcome::finished);
  EXPECT_THAT(wishes_->first(3), ElementsAre(1, -1, 0));
  runner_.reset();
  for (const pid_t process : wishes_->processes) EXPECT_TRUE(isGone(process));
}

TEST_F(WalledSpares, OneWaitsForTheFirstRunInsideWalls) {
  EXPECT_EQ(outcomeOf(*runner_, false), Outcome::finished);
  EXPECT_THAT(wishes_->first(2), ElementsAre(-1, 0));
  const std::lock_guard lock(wishes_->mutex);
  EXPECT_THAT(wishes_->all.back().walls->readable, IsEmpty());
}

TEST(WalledRuns, AProgramInsideIsHeldStillAndGoesOn) {
  if (const auto possible = checkSandbox(); !possible) GTEST_SKIP() << possible.error().text;
  Sandbox walls;
  walls.readable = systemFiles();
  // It starts nothing: a shell whose child is stopped before it is another program waits for that, unstopped.
  Command command{.argv = {"sh", "-c", "while :; do echo on >&2; done"}};
  command.keeper = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
  command.walls = sandboxText(walls);
  Result<Child> child = Child::start(command);
  ASSERT_TRUE(child) << child.error().text;
  const pid_t launcher = child->pid();
  WorkerProcess worker(*std::move(child));
  const auto within = [](const std::function<bool()>& is) {
    const auto before = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (!is())
      if (std::chrono::steady_clock::now() > before) return false;
    return true;
  };
  // It says something, is stopped in the middle, and says something again.
  ASSERT_TRUE(within([&] { return !worker.takeErrors().empty(); })) << worker.errorsTail();
  const pid_t program = programInside(launcher);
  ASSERT_GT(program, 0);
  ASSERT_TRUE(worker.holdStill(true));
  EXPECT_TRUE(within([&] {
    const auto state = processState(program);
    return state && state->state == 'T';
  }));
  (void)worker.takeErrors();
  EXPECT_EQ(worker.takeErrors(), "");
  EXPECT_TRUE(worker.holdStill(false));
  EXPECT_TRUE(within([&] { return !worker.takeErrors().empty(); }));
  worker.kill(SIGKILL);
  EXPECT_TRUE(worker.ending(std::chrono::seconds{20}));
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
