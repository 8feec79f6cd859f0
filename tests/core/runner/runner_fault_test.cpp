// SPDX-License-Identifier: Apache-2.0
// The runner against the fake worker: the fault matrix.
#include <gmock/gmock.h>

#include <fstream>
#include <memory>

#include "core/base/process/process.h"
#include "core/model/exit_status.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using State = WorkerStatus::State;
using testing::AllOf;
using testing::HasSubstr;

constexpr Verdict P = Verdict::pass, M = Verdict::mismatch, C = Verdict::crashed, H = Verdict::hung,
                  Q = Verdict::quarantined;

struct Fault {
  std::string mode;
  Verdict verdict;
  std::string message;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.mode;
}

std::string faultName(const testing::TestParamInfo<Fault>& info) {
  std::string name = info.param.mode;
  std::erase(name, '-');
  return name;
}

class FaultInACase : public testing::TestWithParam<Fault> {};

TEST_P(FaultInACase, IsItsVerdictAndTheRestGoesOn) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Job job = fakeJob({"--mode=" + GetParam().mode + ":3"});
  if (GetParam().verdict == H) job.limits.caseSeconds = 1;
  Recorder run(job);
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, GetParam().verdict, P, P, P, P}));
  EXPECT_THAT(report.kernels[0]->cases[3].check.message, HasSubstr(GetParam().message));
  EXPECT_EQ(counts(report).timed, 6);
  EXPECT_THAT(run.log("runner"), HasSubstr("while checking case 4 of relu.cpp"));
}

INSTANTIATE_TEST_SUITE_P(
    Runner, FaultInACase,
    testing::Values(Fault{"segfault", C, "segmentation fault (SIGSEGV); it last printed:\nabout to read"},
                    Fault{"abort", C, "aborted (SIGABRT)"}, Fault{"kill", C, "killed (SIGKILL)"},
                    Fault{"exit", C, "its process ended with exit code 7"},
                    Fault{"throw", C, "nobody catches this"},
                    Fault{"hang", H, "did not finish within 1.00 s"},
                    Fault{"garbage", C, "it broke the protocol: a message starts with \"Segmentation fault"},
                    Fault{"oversized", C, "it broke the protocol: a message claims to have 4.00 GiB"},
                    Fault{"bad-json", C, "it broke the protocol: a message of type 21 cannot be read"},
                    Fault{"stdout-flood", C, "it broke the protocol"},
                    Fault{"half-frame", C, "it broke the protocol"},
                    // Which of the two is seen first, its silence or its end, is up to the machine.
                    Fault{"close", C, "it"}, Fault{"orphan", C, "its process ended with exit code 7"}),
    faultName);

TEST(RunnerFault, SilenceIsAHangWhateverTheDeadline) {
  RunnerOptions options = quickOptions();
  options.heartbeatSeconds = 1.5;
  Runner runner(fakeLauncher({}), "cpu", options);
  Job job = fakeJob({"--mode=sleep-silently:3"}, false);
  job.limits.caseSeconds = 1000;
  Recorder run(job);
  run.submit(runner);
  EXPECT_THAT(run.wait().kernels[0]->cases[3].check.message, HasSubstr("gave no sign of life for 1.50 s"));
  EXPECT_EQ(run.verdicts()[3], H);
  EXPECT_EQ(run.verdicts()[7], P);
}

TEST(RunnerFault, ACrashWhileTimingTakesThePassAway) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=segfault:3 --stage=time"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, C, P, P, P, P}));
  const CaseRow& row = report.kernels[0]->cases[3];
  EXPECT_THAT(row.check.message, HasSubstr("segmentation fault (SIGSEGV), while it was timed"));
  EXPECT_TRUE(row.check.errors);
  EXPECT_EQ(counts(report).timed, 6);
}

TEST(RunnerFault, AHangWhileTimingHasTheTimingsDeadline) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Job job = fakeJob({"--mode=hang:5 --stage=time"});
  job.limits.caseSeconds = 0.5;
  job.timing.capSeconds = 0.2;
  Recorder run(job);
  run.submit(runner);
  EXPECT_THAT(run.wait().kernels[0]->cases[5].check.message, HasSubstr("did not finish within 1.10 s"));
  EXPECT_EQ(run.verdicts()[5], H);
}

TEST(RunnerFault, ACrashWhileCompilingFailsThatStageOnly) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=segfault --stage=compile", "--cases=2"}));
  run.submit(runner);
  const Report& report = run.wait();
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_EQ(report.kernels[0]->failure->stage, Stage::compile);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("segmentation fault (SIGSEGV)"));
  // The second kernel is not the one that --kernel means.
  EXPECT_EQ(run.verdicts(1), (std::vector{P, P}));
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST(RunnerFault, ALossWhileProfilingLeavesTheOtherProfilesAndTheListing) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Job job = fakeJob({"--mode=segfault:0 --stage=profile"});
  job.kernels[0].language = "raw_cuda";
  job.stages.add(Stage::profile);
  job.profile.indices = {0, 1, 3};
  Recorder run(job);
  run.submit(runner);
  const KernelReport& kernel = *run.wait().kernels[0];
  ASSERT_TRUE(kernel.cases[0].profile);
  EXPECT_THAT((*kernel.cases[0].profile)->notProfiled, HasSubstr("while it was profiled"));
  for (const std::size_t i : {1U, 3U})
    EXPECT_TRUE(kernel.cases[i].profile && (*kernel.cases[i].profile)->done) << i;
  EXPECT_EQ(kernel.listings.size(), 1U);
  EXPECT_EQ(kernel.counts.passed, 7);
}

TEST(RunnerFault, CasesThatAreOnlyCheckedCostNoOtherWorker) {
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  Runner runner(std::make_unique<OnlyOnce>(fakeLauncher({})), "cpu", options);
  Job job = fakeJob({""});
  job.kernels[0].text = "// fake: --mismatch=none --mode=segfault:2\n";
  for (int i = 0; i < 3; ++i)
    job.cases.push_back({.op = "aten::relu", .args = std::to_string(i), .use = CaseUse::check});
  Recorder run(job);
  run.submit(runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished) << "the run wanted another worker";
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, C}));
}

TEST(RunnerFault, ACompilationThatHangsIsEnded) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Job job = fakeJob({"--mode=hang --stage=compile"});
  job.limits.compileSeconds = -9.5;  // with the slack: half a second
  Recorder run(job);
  run.submit(runner);
  EXPECT_THAT(run.wait().kernels[0]->failure->text,
              HasSubstr("did not finish within 500 ms while compiling"));
}

TEST(RunnerFault, AKernelThatKeepsCrashingIsQuarantined) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=segfault:1,3,4,6", "--kernel=9 --cases=2"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(run.verdicts(), (std::vector{P, C, M, C, C, Q, Q, Q}));
  EXPECT_THAT(report.kernels[0]->cases[7].check.message, HasSubstr("has ended its worker 3 times"));
  EXPECT_THAT(report.kernels[0]->cases[0].notTimed, HasSubstr("has ended its worker 3 times"));
  EXPECT_EQ(run.verdicts(1), (std::vector{P, P}));
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST(RunnerFault, TheLastCaseMayCrashToo) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=segfault:7"}, false)), next(fakeJob());
  run.submit(runner);
  next.submit(runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished);
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, P, P, P, P, C}));
  EXPECT_EQ(next.wait().outcome, Outcome::finished);
}

TEST(RunnerFault, AWorkerThatEndsInOrderHandsTheRestOver) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=bye:3"}));
  run.submit(runner);
  run.wait();
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, P, P, P, P, P}));
}

TEST(RunnerFault, AWorkerSpoiledByAKernelIsReplacedAndNothingIsLost) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=spoiled", "", "--mode=spoiled"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  for (std::size_t kernel = 0; kernel < 3; ++kernel)
    EXPECT_EQ(run.verdicts(kernel), (std::vector{P, P, M, P, P, P, P, P})) << kernel;
  EXPECT_THAT(run.log("runner"), testing::Not(HasSubstr("lost")));
}

TEST(RunnerFault, LiesAboutCasesEndTheKernelAndNotTheRun) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=bad-index", "--mode=unknown-message"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(run.verdicts(0), std::vector<Verdict>(8, Verdict::tampered));
  EXPECT_EQ(run.verdicts(1), (std::vector{P, P, M, P, P, P, P, P}));
  ASSERT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.losses[0].blame, Blame::kernel);
  EXPECT_THAT(report.losses[0].how, HasSubstr("a message came that Warpbench did not send"));
}

TEST(RunnerFault, AKernelThatForgesItsVerdictsPassesNothing) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  for (const std::string& mode : {"forge-verdicts", "forge-kernel"}) {
    Recorder run(fakeJob({"--mode=" + mode, ""}));
    run.submit(runner);
    EXPECT_EQ(exitStatus(run.wait()), 1) << mode;
    EXPECT_EQ(run.verdicts(0), std::vector<Verdict>(8, Verdict::tampered)) << mode;
    EXPECT_EQ(run.verdicts(1), (std::vector{P, P, M, P, P, P, P, P})) << mode;
  }
}

TEST(RunnerFault, MessagesOfCompilersAreBoundedWhateverTheirNumberAndSize) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=diagnostics"}, false));
  run.submit(runner);
  const Report& report = run.wait();
  ASSERT_LE(report.kernels[0]->diagnostics.size(), 10000U);
  EXPECT_LT(report.kernels[0]->diagnostics[0].message.size(), 20000U);
  EXPECT_THAT(report.kernels[0]->diagnostics[0].message, HasSubstr("were cut out here"));
  EXPECT_THAT(run.log("runner"), HasSubstr("more messages about kernels were dropped"));
}

TEST(RunnerFault, ALossBetweenTwoCasesIsOurFaultAndIsSaid) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=die-between:3 --mismatch=none"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(run.verdicts(), std::vector<Verdict>(8, P));  // the rest passed in another worker
  ASSERT_EQ(report.losses.size(), 1U);
  const WorkerLost& lost = report.losses[0];
  EXPECT_EQ(lost.blame, Blame::warpbench);
  EXPECT_EQ(lost.kernel, 0U);
  EXPECT_EQ(lost.doing, "between two steps of relu.cpp");
  EXPECT_EQ(lost.how, "segmentation fault (SIGSEGV)");
  EXPECT_GT(lost.seconds, 0);
  EXPECT_EQ(exitStatus(report), 4);
}

TEST(RunnerFault, AWorkerThatDiesWhileItWaitsIsToldToTheNextRun) {
  const std::string marker = testing::TempDir() + "died-" + std::to_string(::getpid());
  Runner runner(fakeLauncher({"--mode=die-idle-once", "--script=" + marker}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  runner.start();
  statuses.waitFor([](const WorkerStatus& status) { return status.restarts == 1 && status.spareReady; });
  Recorder run(fakeJob({"--mismatch=none"}), Losses::any);
  run.submit(runner);
  const Report& report = run.wait();
  ASSERT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.losses[0].doing, "waiting for a job");
  EXPECT_EQ(report.losses[0].kernel, std::nullopt);
  EXPECT_EQ(exitStatus(report), 4);
  EXPECT_THAT(run.log("runner"), HasSubstr("waiting for a job"));
  std::filesystem::remove(marker);
}

TEST(RunnerFault, FinishingTooEarlyFailsTheCasesThatAreMissing) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Recorder run(fakeJob({"--mode=early-finish:3"}));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(run.verdicts()[4], Verdict::missing);
  EXPECT_EQ(report.kernels[0]->counts.failed, 1 + 4);
  EXPECT_EQ(exitStatus(report), 1);
}

TEST(RunnerFault, AGigabyteOnStandardErrorIsCutCountedAndSaid) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
#ifdef __SANITIZE_THREAD__  // marks every byte that is read: a minute for a gigabyte
  const std::string size = "64", said = "63.9 MiB";
#else
  const std::string size = "1024", said = "1.00 GiB";
#endif
  Job job = fakeJob({"--mode=flood:3 --flood=" + size}, false);
  job.limits.logBytes = 100000;
  Recorder run(job);
  run.submit(runner);
  run.wait();
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, P, P, P, P, P}));
  EXPECT_LT(run.log("worker").size(), 200000U);
  EXPECT_THAT(run.log("runner"), HasSubstr(said + " more of output were dropped"));
}

TEST(RunnerFault, EndlessLogEventsAreBoundedToo) {
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  Job job = fakeJob({"--mode=chatty"});
  job.limits.logBytes = 100000;
  Recorder run(job);
  run.submit(runner);
  run.wait();
  EXPECT_LE(run.log("stdout").size(), 200000U);
  EXPECT_THAT(run.log("runner"), HasSubstr("were dropped"));
}

TEST(RunnerFault, TheSpareTakesOverAtOnce) {
  // A worker needs a second to start: without a spare the run would wait for it, and the status say so.
  Runner runner(fakeLauncher({"--start-delay=1"}), "cpu", quickOptions());
  StatusRecorder statuses(runner);
  runner.start();
  statuses.waitFor([](const WorkerStatus& status) { return status.spareReady; });
  const std::size_t before = statuses.told().size();
  Recorder run(fakeJob({"--mode=segfault:3"}, false));
  run.submit(runner);
  run.wait();
  EXPECT_EQ(run.verdicts(), (std::vector{P, P, M, C, P, P, P, P}));
  const std::vector<WorkerStatus> told = statuses.told();
  for (std::size_t i = before; i < told.size(); ++i) EXPECT_NE(told[i].state, State::starting) << i;
  const WorkerStatus again = statuses.waitFor([](const WorkerStatus& status) { return status.spareReady; });
  EXPECT_EQ(again.restarts, 1);
}

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
  EXPECT_THAT(report.failure->text, AllOf(HasSubstr("speaks version 99 of the protocol (build fake 1.0)"),
                                          HasSubstr("this program speaks version 3")));
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

}  // namespace
}  // namespace wb
