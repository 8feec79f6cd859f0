// SPDX-License-Identifier: Apache-2.0
// The runner against the fake worker: runs that are cancelled, and workers that do not start.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <utility>

#include "core/model/exit/exit_status.h"
#include "core/protocol/message.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using State = WorkerStatus::State;
using testing::AllOf;
using testing::HasSubstr;

constexpr Verdict P = Verdict::pass;

// Cancelling

TEST(RunnerCancel, AQueuedRunEndsAtOnce) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder first(fakeJob({"--delay=0.1"})), second(fakeJob());
  first.submit(runner);
  runner.cancel(second.submit(runner));
  EXPECT_EQ(second.wait().outcome, Outcome::cancelled);
  EXPECT_LT(second.seconds(), 1);
  EXPECT_EQ(first.wait().outcome, Outcome::finished);
}

TEST(RunnerCancel, ARunStopsKeepsItsCasesAndTheWorker) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder run(fakeJob({"--delay=0.05"})), next(fakeJob());
  const auto id = run.submit(runner);
  run.waitFor<CaseCheck>();
  runner.cancel(id);
  runner.cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(run.verdicts().front(), P);
  EXPECT_EQ(run.verdicts().back(), Verdict::notRun);
  next.submit(runner);
  EXPECT_EQ(next.wait().outcome, Outcome::finished);
  EXPECT_EQ(statuses.waitFor(State::ready).restarts, 0);
}

TEST(RunnerCancel, AHangingCaseIsTerminatedAndHasNoVerdict) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Job job = fakeJob({"--mode=hang:1"});
  job.limits.caseSeconds = 1000;
  Recorder run(job);
  const auto id = run.submit(runner);
  run.waitFor<CaseCheck>();
  runner.cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(run.verdicts()[0], P);
  EXPECT_EQ(run.verdicts()[1], Verdict::notRun);
}

TEST(RunnerCancel, AWorkerThatIgnoresEverythingIsKilled) {
  Runner runner(fakeLauncher({"--ignore-term"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder run(fakeJob({"--delay=5"}));
  const auto id = run.submit(runner);
  run.waitFor<StepStarted>();
  runner.cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(statuses.waitFor([](const WorkerStatus& s) { return s.restarts == 1; }).restarts, 1);
}

TEST(RunnerCancel, ARunThatWaitsForAWorkerEndsAtOnce) {
  Runner runner(fakeLauncher({"--start-delay=10"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder run(fakeJob());
  const auto id = run.submit(runner);
  EXPECT_EQ(statuses.waitFor(State::starting).state, State::starting);
  runner.cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
}

// Starting

TEST(RunnerStart, AnotherProtocolVersionIsToldWithBothVersions) {
  Runner runner(fakeLauncher({"--protocol=99"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder run(fakeJob());
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::workerLost);
  EXPECT_EQ(report.failure->stage, Stage::setup);
  EXPECT_THAT(report.failure->text,
              AllOf(HasSubstr("speaks version 99 of the protocol (build fake 1.0)"),
                    HasSubstr(fmt::format("this program speaks version {}", protocolVersion))));
  EXPECT_THAT(report.failure->hint, HasSubstr("one build"));
  EXPECT_EQ(statuses.waitFor(State::failed).failure, *report.failure);
  EXPECT_EQ(exitStatus(report), 3);
}

TEST(RunnerStart, AWorkerWithoutTorchSaysWhatItSaysAndIsNotRestarted) {
  Runner runner(fakeLauncher({"--mode=hello-failure"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder first(fakeJob()), second(fakeJob());
  first.submit(runner);
  second.submit(runner);
  EXPECT_EQ(first.wait().failure->text, "torch 2.11 was not found");
  EXPECT_EQ(second.wait().outcome, Outcome::workerLost);
  const WorkerStatus status = statuses.waitFor(State::failed);
  EXPECT_EQ(status.failure.hint, "run packaging/setup");
  EXPECT_EQ(status.restarts, 0);
}

/// Cannot start a worker with Python until it is mended.
class WithoutPython final : public Launcher {
 public:
  explicit WithoutPython(std::shared_ptr<std::atomic<bool>> isMended) : isMended_(std::move(isMended)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    if (wish.python && !*isMended_) return Error{Stage::setup, "there is no Python"};
    return inner_->launch(wish);
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }

 private:
  std::unique_ptr<Launcher> inner_ = fakeLauncher({});
  std::shared_ptr<std::atomic<bool>> isMended_;
};

TEST(RunnerStart, WherePythonDoesNotStartOtherKernelsRunAndTheNextRequestTriesAnew) {
  const auto isMended = std::make_shared<std::atomic<bool>>(false);
  Runner runner(std::make_unique<WithoutPython>(isMended), "cpu", quickOptions());
  Job python = fakeJob();
  python.kernels.front().language = "python";
  Recorder first(python), behind(fakeJob()), plain(fakeJob()), again(python);
  first.submit(runner);
  behind.submit(runner);
  EXPECT_EQ(first.wait().outcome, Outcome::workerLost);
  EXPECT_EQ(first.wait().failure->text, "there is no Python");
  EXPECT_EQ(behind.wait().outcome, Outcome::finished);
  plain.submit(runner);
  EXPECT_EQ(plain.wait().outcome, Outcome::finished);
  *isMended = true;
  again.submit(runner);
  EXPECT_EQ(again.wait().outcome, Outcome::finished);
}

TEST(RunnerStart, AMissingProgramIsToldAtOnce) {
  Runner runner(commandLauncher({{"/nowhere/worker"}, {}, {}}), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("/nowhere/worker"));
  EXPECT_THAT(run.wait().failure->hint, HasSubstr("WARPBENCH_WORKER"));
  EXPECT_EQ(run.wait().outcome, Outcome::workerLost);
}

TEST(RunnerStart, FiveFailedStartsAreEnoughAndShowWhatWasPrinted) {
  Runner runner(fakeLauncher({"--mode=exit-at-start"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_THAT(run.wait().failure->text,
              AllOf(HasSubstr("its process ended with exit code 3"), HasSubstr("ImportError: libfake.so")));
  EXPECT_EQ(statuses.waitFor(State::failed).restarts, 5);
}

TEST(RunnerStart, AWorkerThatNeverGreetsIsGivenUp) {
  Runner runner(fakeLauncher({"--mode=no-hello"}, 200ms), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("did not greet within 200 ms"));
}

TEST(RunnerStart, AProgramThatIsNoWorkerIsToldWithWhatItSaid) {
  Runner runner(fakeLauncher({"--mode=hello-garbage"}), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("of other text came before the first message: \"????"));
}

TEST(RunnerStart, ABannerBeforeTheGreetingIsFine) {
  Runner runner(fakeLauncher({"--mode=banner"}), "cpu", quickOptions());
  Recorder run(fakeJob());
  run.submit(runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished);
}

TEST(RunnerStart, AWorkerThatDiesIdleIsRestartedMoreAndMoreSlowly) {
  Runner runner(fakeLauncher({"--mode=die-idle"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  runner.start();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_GE(statuses.waitFor([](const WorkerStatus& s) { return s.restarts >= 5; }).restarts, 5);
  EXPECT_GT(std::chrono::steady_clock::now() - start, 300ms);
}

TEST(RunnerStart, AWorkerThatDiesBeforeItBeginsFailsTheKernelAndNotForEver) {
  Runner runner(fakeLauncher({"--mode=die-idle"}), "cpu", quickOptions());
  Recorder run(fakeJob({"--delay=1"}), Losses::any);
  run.submit(runner);
  const Report& report = run.wait();
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_EQ(exitStatus(report), 3);
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST(RunnerStart, AfterAFailureTheNextRunTriesAgain) {
  const std::string link = testing::TempDir() + "worker-link-" + std::to_string(::getpid());
  Runner runner(commandLauncher({{link}, {}, {}}), "cpu", quickOptions());
  Recorder first(fakeJob()), second(fakeJob());
  first.submit(runner);
  EXPECT_EQ(first.wait().outcome, Outcome::workerLost);
  std::filesystem::create_symlink(WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", link);
  second.submit(runner);
  EXPECT_EQ(second.wait().outcome, Outcome::finished);
  std::filesystem::remove(link);
}

TEST(RunnerStart, ADeafWorkerDoesNotBlockTheRunner) {
  Runner runner(fakeLauncher({"--mode=deaf"}), "cpu", quickOptions());
  Job job = fakeJob();
  job.kernels[0].text += std::string(1 << 20, ' ');  // more than a pipe holds
  job.limits.compileSeconds = -9.7;
  Recorder run(job, Losses::any);
  run.submit(runner);
  EXPECT_THAT(run.wait().kernels[0]->failure->text, HasSubstr("was lost 3 times before it began to compile"));
}

TEST(RunnerStart, ManyRunsLeaveNothingBehind) {
  const auto runOnce = [] {
    Runner runner(fakeLauncher({}), "cpu", quickOptions());
    Recorder run(fakeJob());
    run.submit(runner);
    EXPECT_EQ(run.wait().outcome, Outcome::finished);
  };
  runOnce();
  const auto open = openDescriptors();
  const std::string before = ownChildren();
  for (int i = 0, runs = runsInARow(200); i < runs; ++i) runOnce();
  EXPECT_EQ(openDescriptors(), open);
  EXPECT_EQ(ownChildren(), before);
}

}  // namespace
}  // namespace wb
