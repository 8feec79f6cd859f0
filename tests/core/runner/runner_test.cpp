// SPDX-License-Identifier: Apache-2.0
// The runner against the fake worker: the good days.
#include "core/runner/runner.h"

#include <fmt/chrono.h>
#include <gmock/gmock.h>

#include <ctime>
#include <fstream>

#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using State = WorkerStatus::State;
using testing::HasSubstr;

constexpr Verdict P = Verdict::pass, M = Verdict::mismatch;

TEST(Runner, RunsAJobToItsEnd) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, P, P, P, P, P}));
  EXPECT_EQ(counts(report).timed, 7);
  EXPECT_EQ(report.target.deviceName, "Fake CPU");
  EXPECT_GT(report.seconds, 0);
}

// The fake worker's clock stands at the first of January.
TEST(Runner, ARunBeganByTheClockOfThisMachine) {
  const auto now = [] { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); };
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob());
  const std::string before = now();
  run.submit(runner);
  const std::string began = run.wait().startedAt;
  EXPECT_GE(began, before);
  EXPECT_LE(began, now());
}

TEST(Runner, GivesEveryEventInOrderAndFinishedOnce) {
  Runner runner(fakeLauncher({"--mode=finished-twice"}), "cpu", quickOptions());
  Recorder first(fakeJob()), second(fakeJob());
  first.submit(runner);
  second.submit(runner);
  runner.wait();
  for (Recorder* run : {&first, &second}) {
    EXPECT_TRUE(std::holds_alternative<JobStarted>(run->events().front()));
    EXPECT_TRUE(std::holds_alternative<Finished>(run->events().back()));
    EXPECT_EQ(run->wait().log.size(), 0U);
  }
}

TEST(Runner, RunsWaitForTheirTurn) {
  Runner runner(fakeLauncher({"--delay=0.01"}), "cuda:1", quickOptions());
  std::mutex mutex;
  std::vector<Runner::RunId> order;
  for (int i = 0; i < 4; ++i)
    runner.submit(fakeJob(), [&](Runner::RunId id, const Event& event) {
      const std::lock_guard lock(mutex);
      if (std::holds_alternative<JobStarted>(event) || std::holds_alternative<Finished>(event))
        order.push_back(id);
    });
  runner.wait();
  EXPECT_EQ(order, (std::vector<Runner::RunId>{1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(Runner, TheJobGetsTheRunnersDevice) {
  Runner runner(fakeLauncher({}), "cuda:1", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_EQ(run.wait().target.device, "cuda:1");
}

TEST(Runner, SeveralKernelsRunOneAfterTheOther) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--cases=3", "--mode=compile-error", "--cases=4 --mismatch=none"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.kernels[0]->cases.size(), 3U);
  ASSERT_TRUE(report.kernels[1]->failure);
  EXPECT_EQ(report.kernels[1]->diagnostics.at(0).place.line, 3);
  EXPECT_EQ(run.verdicts(2), (std::vector{P, P, P, P}));
}

TEST(Runner, AJobWithoutKernelsSaysSo) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({}));
  run.submit(runner);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("no kernel"));
}

TEST(Runner, ReplaysARecordedRun) {
  const std::string file = testing::TempDir() + "replay.jsonl";
  std::ofstream(file) << R"({"event": "JobStarted", "target": {"deviceName": "Recorded"}})"
                      << "\n"
                      << R"({"event": "Log", "source": "stdout", "text": "hello"})"
                      << "\n";
  Runner runner(fakeLauncher({"--script=" + file}), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_EQ(run.wait().target.deviceName, "Recorded");
  EXPECT_EQ(run.log("stdout"), "hello\n");
}

TEST(Runner, WarmsAWorkerAndASpareAndSaysSo) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  runner.start();
  const WorkerStatus status = statuses.waitFor([](const WorkerStatus& s) { return s.spareReady; });
  EXPECT_EQ(status.state, State::ready);
  EXPECT_EQ(status.target.deviceName, "Fake CPU");
  EXPECT_EQ(status.restarts, 0);
}

TEST(Runner, HasNoSpareWhenNoneIsWanted) {
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  const auto launches = std::make_shared<std::atomic<int>>(0);
  Runner runner(std::make_unique<CountingLauncher>(fakeLauncher({}), launches), "cpu", options);
  StatusRecorder statuses(runner);
  runner.start();
  EXPECT_FALSE(statuses.waitFor(State::ready).spareReady);
  Recorder run(fakeJob());
  run.submit(runner);
  run.wait();
  EXPECT_FALSE(statuses.waitFor(State::ready).spareReady);
  EXPECT_EQ(*launches, 1);
}

TEST(Runner, StartsNothingBeforeItIsAsked) {
  const auto launches = std::make_shared<std::atomic<int>>(0);
  Runner runner(std::make_unique<CountingLauncher>(fakeLauncher({}), launches), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  // The runner has had its turn when it tells this.
  EXPECT_EQ(statuses.told().back().state, State::stopped);
  EXPECT_EQ(*launches, 0);
}

TEST(Runner, DestructionCancelsWhatIsLeft) {
  Recorder running(fakeJob({"--delay=0.2"})), queued(fakeJob());
  {
    Runner runner(fakeLauncher({}), "cpu", quickOptions());
    running.submit(runner);
    queued.submit(runner);
    running.waitFor<Compiled>();
  }
  EXPECT_EQ(running.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(queued.wait().outcome, Outcome::cancelled);
}

TEST(Runner, CallbacksMaySubmitAndCancel) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  std::mutex mutex;
  std::vector<Outcome> outcomes;
  runner.submit(fakeJob(), [&](Runner::RunId, const Event& event) {
    if (!is<Compiled>(event)) return;
    const auto id = runner.submit(fakeJob(), [&](Runner::RunId, const Event& inner) {
      const std::lock_guard lock(mutex);
      if (const auto* end = std::get_if<Finished>(&inner)) outcomes.push_back(end->outcome);
    });
    runner.cancel(id);
  });
  runner.wait();
  EXPECT_EQ(outcomes, std::vector{Outcome::cancelled});
}

TEST(Runner, CancelOfAnUnknownOrFinishedRunDoesNothing) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob());
  const auto id = run.submit(runner);
  run.wait();
  runner.cancel(id);
  runner.cancel(1234);
  Recorder next(fakeJob());
  next.submit(runner);
  EXPECT_EQ(next.wait().outcome, Outcome::finished);
}

}  // namespace
}  // namespace wb
