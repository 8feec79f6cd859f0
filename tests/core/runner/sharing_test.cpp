// SPDX-License-Identifier: Apache-2.0
// A runner with several places, against the fake worker.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/runner/active_run.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr Verdict P = Verdict::pass, M = Verdict::mismatch, C = Verdict::crashed;

std::vector<WorkerPlace> fakes(std::size_t count, const std::vector<std::string>& arguments = {}) {
  std::vector<WorkerPlace> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back({fakeLauncher(arguments), "cpu"});
  return places;
}

/// Each with a GPU of its own.
std::vector<WorkerPlace> fakeGpus(std::size_t count) {
  std::vector<WorkerPlace> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back({fakeLauncher({}), "cuda:" + std::to_string(i)});
  return places;
}

std::unique_ptr<Runner> runnerOf(std::vector<WorkerPlace> places) {
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  return std::make_unique<Runner>(std::move(places), options);
}

/// One kernel with as many cases as the job has, so that they can be spread.
Job jobOfCases(int cases, const std::string& arguments = "") {
  Job job = fakeJob({""});
  job.kernels[0].text = "// fake: --mismatch=none " + arguments + "\n";
  for (int i = 0; i < cases; ++i) job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  return job;
}

/// What must be the same of a job's reports, however many workers shared it.
void expectSame(const Report& many, const Report& one) {
  ASSERT_EQ(many.kernels.size(), one.kernels.size());
  for (std::size_t k = 0; k < one.kernels.size(); ++k) {
    EXPECT_EQ(many.kernels[k]->cases, one.kernels[k]->cases) << k;
    EXPECT_EQ(many.kernels[k]->counts, one.kernels[k]->counts) << k;
    EXPECT_EQ(many.kernels[k]->progress, one.kernels[k]->progress) << k;
    EXPECT_EQ(many.kernels[k]->diagnostics, one.kernels[k]->diagnostics) << k;
    EXPECT_EQ(many.kernels[k]->failure, one.kernels[k]->failure) << k;
    EXPECT_EQ(many.kernels[k]->listings, one.kernels[k]->listings) << k;
  }
  EXPECT_EQ(many.outcome, one.outcome);
  EXPECT_EQ(many.target.deviceName, one.target.deviceName);
}

Report reportOf(const Job& job, std::vector<WorkerPlace> places) {
  Recorder run(job);
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  return run.wait();
}

TEST(Sharing, GivesTheReportThatOneWorkerGives) {
  const Job job =
      fakeJob({"--mode=segfault:3", "", "--mismatch=5", "--mode=compile-error", "--mismatch=none", ""});
  const Report many = reportOf(job, fakes(3));
  expectSame(many, reportOf(job, fakes(1)));
  EXPECT_EQ(many.kernels[0]->cases[3].check.verdict, C);
  EXPECT_EQ(many.kernels[0]->cases[2].check.verdict, M);
}

TEST(Sharing, AKernelThatIsSpreadGivesTheReportThatOneWorkerGives) {
  Job job = jobOfCases(60, "--mismatch=33");
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    job.cases[i].dtype = i % 7 == 0 ? "f16" : "f32";
    job.cases[i].seed = 100 + i;
    if (i % 5 == 0) job.cases[i].use = CaseUse::check;
  }
  const Report one = reportOf(job, fakeGpus(1));
  EXPECT_EQ(one.kernels[0]->cases[33].check.verdict, M);
  EXPECT_EQ(counts(one).timed, 47);
  for (const std::size_t places : {2U, 5U}) {
    const Report many = reportOf(job, fakeGpus(places));
    expectSame(many, one);
    EXPECT_EQ(many.kernels[0]->compiled->op, one.kernels[0]->compiled->op);
  }
}

TEST(Sharing, ProfilesAsOneWorkerDoes) {
  Job job = fakeJob({"", ""});
  job.stages.add(Stage::profile);
  job.profile.cases = 2;
  for (KernelSource& kernel : job.kernels) kernel.language = "raw_cuda";
  const Report one = reportOf(job, fakeGpus(1));
  EXPECT_EQ(counts(one).profiled, 4);
  EXPECT_FALSE(one.kernels[0]->listings.empty());
  expectSame(reportOf(job, fakeGpus(2)), one);
}

TEST(Sharing, ProfilesTheCasesOfAKernelThatWasSpread) {
  Job job = jobOfCases(40);
  job.stages.add(Stage::profile);
  job.profile.cases = 3;
  const Report one = reportOf(job, fakeGpus(1));
  EXPECT_EQ(counts(one).profiled, 3);
  const Report many = reportOf(job, fakeGpus(3));
  EXPECT_EQ(counts(many).profiled, 3);
}

TEST(Sharing, HasMoreWorkersThanKernels) {
  Recorder run(jobOfCases(40));
  const auto runner = runnerOf(fakes(4));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_THAT(run.verdicts(0), Each(P));
  EXPECT_EQ(counts(report).timed, 40);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(report.kernels[0]->cases[i].definition.args, std::to_string(i));
  const auto ofKind = [&](auto is) { return std::count_if(run.events().begin(), run.events().end(), is); };
  EXPECT_EQ(ofKind([](const Event& e) { return std::holds_alternative<JobStarted>(e); }), 1);
  EXPECT_EQ(ofKind([](const Event& e) { return resultIn<Compiled>(e) != nullptr; }), 1);
  EXPECT_EQ(ofKind([](const Event& e) { return std::holds_alternative<Finished>(e); }), 1);
}

TEST(Sharing, OnASharedDeviceNothingRunsBesideWhatIsTimed) {
  Recorder run(jobOfCases(40));
  const auto runner = runnerOf(fakes(3));
  run.submit(*runner);
  run.wait();
  bool timing = false;
  for (const Event& event : run.events())
    if (const auto* started = std::get_if<StepStarted>(&event)) {
      timing = timing || started->stage == Stage::time;
      EXPECT_EQ(started->stage == Stage::time, timing);  // no check once the first was timed
    }
  EXPECT_TRUE(timing);
}

TEST(Sharing, AKernelThatKillsWorkersEverywhereIsQuarantinedOnce) {
  Recorder run(jobOfCases(40, "--mode=segfault:0,5,10,15,20,25,30,35"));
  const auto runner = runnerOf(fakes(3));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(report.kernels[0]->counts.checked, 40);
  EXPECT_GE(report.losses.size(), 3U);
  int quarantined = 0;
  // Which cases are left when the third worker is lost depends on who was how fast.
  const auto& cases = report.kernels[0]->cases;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (cases[i].check.verdict == Verdict::quarantined) {
      ++quarantined;
      EXPECT_THAT(cases[i].check.message, HasSubstr("3 times"));
    }
  EXPECT_GT(quarantined, 0);
  EXPECT_EQ(std::count_if(report.losses.begin(), report.losses.end(),
                          [](const WorkerLost& lost) { return lost.quarantines; }),
            1);
}

TEST(Sharing, AKernelThatDoesNotCompileFailsOnce) {
  Recorder run(jobOfCases(40, "--mode=compile-error"));
  const auto runner = runnerOf(fakes(2));
  run.submit(*runner);
  run.wait();
  const auto failed = [](const Event& event) { return std::holds_alternative<StageFailed>(event); };
  EXPECT_EQ(std::count_if(run.events().begin(), run.events().end(), failed), 1);
}

TEST(Sharing, CancelEndsAllWorkersAndTheNextRunBegins) {
  Recorder slow(fakeJob({"--delay=0.2", "--delay=0.2", "--delay=0.2"})), next(fakeJob({"", ""}));
  const auto runner = runnerOf(fakes(2));
  const auto id = slow.submit(*runner);
  next.submit(*runner);
  slow.waitFor<CaseCheck>();
  runner->cancel(id);
  EXPECT_EQ(slow.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(next.wait().outcome, Outcome::finished);
  EXPECT_EQ(counts(next.wait()).timed, 14);
}

TEST(Sharing, AQueuedRunIsCancelledAtOnce) {
  Recorder slow(fakeJob({"--delay=0.05"})), queued(fakeJob());
  const auto runner = runnerOf(fakes(2));
  slow.submit(*runner);
  runner->cancel(queued.submit(*runner));
  EXPECT_EQ(queued.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(slow.wait().outcome, Outcome::finished);
}

TEST(Sharing, DestructionCancelsWhatIsLeft) {
  Recorder running(fakeJob({"--delay=0.2", "--delay=0.2"})), queued(fakeJob());
  {
    const auto runner = runnerOf(fakes(2));
    running.submit(*runner);
    queued.submit(*runner);
    running.waitFor<Compiled>();
  }
  EXPECT_EQ(running.wait().outcome, Outcome::cancelled);
  EXPECT_EQ(queued.wait().outcome, Outcome::cancelled);
}

TEST(Sharing, APlaceWhoseWorkersDoNotStartLeavesTheRestToTheOthers) {
  std::vector<WorkerPlace> places = fakes(1);
  places.push_back({fakeLauncher({"--mode=hello-failure"}), "cpu"});
  Recorder run(fakeJob({"", "", "", ""}));
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(counts(report).checked, 32);
  EXPECT_FALSE(report.failure);
}

TEST(Sharing, ATargetOnWhichNoWorkerStartedIsNotNamedAsTheRunsPlace) {
  std::vector<WorkerPlace> places = fakes(1);
  places.push_back({fakeLauncher({"--mode=hello-failure"}), "cpu", "ssh:box:0:/config", "the box"});
  Recorder run(fakeJob({"", "", "", ""}));
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished);
  EXPECT_EQ(run.log("target"), "this machine\n");
  EXPECT_THAT(run.log("place"), HasSubstr("worker 2 on cpu of the box is out, the others go on: torch"));

  // Where there is but one, it is named before it has started.
  std::vector<WorkerPlace> one;
  one.push_back({fakeLauncher({"--mode=hello-failure"}), "cuda:0", "ssh:box:0:/config", "the box"});
  Recorder lost(fakeJob());
  const auto other = runnerOf(std::move(one));
  lost.submit(*other);
  EXPECT_EQ(lost.wait().outcome, Outcome::workerLost);
  EXPECT_EQ(lost.log("target"), "the box\n");
}

TEST(Sharing, APlaceThatFailsTwiceOutsideUserCodeGetsNothingMore) {
  std::vector<std::string> said;
  const auto listener = [&](Runner::RunId, const Event& event) {
    if (const auto* line = std::get_if<Log>(&event)) said.push_back(line->text);
  };
  ActiveRun run({1, fakeJob({"", "", "", ""}), listener, nullptr}, quickOptions(),
                {{"", "cuda:0"}, {"box", "cuda:0"}});
  for (int times = 0; times < 2; ++times) {
    EXPECT_TRUE(run.mayUse(1));
    ASSERT_TRUE(run.handOver(1));
    run.losePlace(1, "its node failed");
    run.giveBack(1);
  }
  EXPECT_FALSE(run.mayUse(1));
  EXPECT_FALSE(run.handOver(1));
  EXPECT_TRUE(run.handOver(0));
  EXPECT_THAT(said, testing::Contains(HasSubstr("worker 2 on cuda:0 of box is out, the others go on")));
}

TEST(Sharing, WhatASlowPlaceLeavesIsDoneOnce) {
  // The first would need three seconds for its share, of which the other one, which needs none, takes most.
  std::vector<WorkerPlace> places;
  places.push_back({fakeLauncher({"--delay=0.15"}), "cuda:0"});
  places.push_back({fakeLauncher({}), "cuda:1"});
  Recorder run(jobOfCases(80));
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(counts(report).timed, 80);
  EXPECT_EQ(std::count_if(run.events().begin(), run.events().end(),
                          [](const Event& e) { return resultIn<CaseCheck>(e) != nullptr; }),
            80);
  EXPECT_TRUE(report.losses.empty());
}

TEST(Sharing, DifferentDevicesAreToldOnce) {
  std::vector<std::string> said;
  const auto listener = [&](Runner::RunId, const Event& event) {
    if (const auto* line = std::get_if<Log>(&event)) said.push_back(line->text);
  };
  ActiveRun run({1, fakeJob(), listener, nullptr}, quickOptions(), {{"", "cuda:0"}, {"box", "cuda:0"}});
  for (const char* name : {"H200", "H200", "H100", "H200", "H100", "A100"}) {
    Target target;
    target.deviceName = name;
    run.takeTarget(0, target);
  }
  EXPECT_THAT(said, testing::ElementsAre(HasSubstr("devices differ: H100 and H200")));
}

TEST(Sharing, WithoutAPlaceLeftTheRunIsLost) {
  Recorder run(fakeJob({"", ""}));
  const auto runner = runnerOf(fakes(2, {"--mode=hello-failure"}));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::workerLost);
  EXPECT_EQ(report.failure->text, "torch 2.11 was not found");
}

TEST(Sharing, AJobWithoutKernelsEndsAtOnce) {
  Recorder run(fakeJob({}));
  const auto runner = runnerOf(fakes(2));
  run.submit(*runner);
  EXPECT_THAT(run.wait().failure->text, HasSubstr("no kernel"));
}

TEST(Sharing, WorkersAreWarmBeforeTheJobIsThere) {
  const auto runner = runnerOf(fakes(2));
  StatusRecorder statuses(*runner);
  runner->start();
  EXPECT_EQ(statuses.waitFor(WorkerStatus::State::ready).state, WorkerStatus::State::ready);
  Recorder run(fakeJob({"", ""}));
  run.submit(*runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished);
}

}  // namespace
}  // namespace wb
