// SPDX-License-Identifier: Apache-2.0
// The runner against the fake worker: the fault matrix.
#include <gmock/gmock.h>

#include <fstream>
#include <memory>

#include "core/base/process/process.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using State = WorkerStatus::State;
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

TEST(RunnerFault, OnANodeTheFirstSilenceAtAStepIsNotBlamedOnTheKernel) {
  RunnerOptions options = quickOptions();
  options.heartbeatSeconds = 1.5;
  options.warmSpare = false;
  Runner runner(std::make_unique<OnNodes>(), "cuda:0", options);
  Job job = fakeJob({"--mode=sleep-silently:3"}, false);
  job.limits.caseSeconds = 1000;
  Recorder run(job);
  run.submit(runner);
  // The second worker is silent at the same step, so that it is the kernel's doing.
  EXPECT_EQ(run.wait().losses.size(), 1U);
  EXPECT_EQ(run.verdicts()[3], H);
  EXPECT_EQ(run.verdicts()[7], P);
  EXPECT_THAT(run.log("place"), HasSubstr("gave no sign of life for 1.50 s: its node cannot be heard"));
}

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

}  // namespace
}  // namespace wb
