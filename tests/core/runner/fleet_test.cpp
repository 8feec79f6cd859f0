// SPDX-License-Identifier: Apache-2.0
// A fleet of real runners against the fake worker.
#include "core/runner/fleet.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

constexpr Verdict P = Verdict::pass, M = Verdict::mismatch, C = Verdict::crashed;

std::vector<FleetMember> fakes(std::size_t count, const std::vector<std::string>& arguments = {}) {
  std::vector<FleetMember> members;
  for (std::size_t i = 0; i < count; ++i) members.push_back({fakeLauncher(arguments), "cpu"});
  return members;
}

/// Collects a fleet's run as Recorder does a runner's.
struct FleetRecorder {
  explicit FleetRecorder(Job wanted) : job(std::move(wanted)), report(startReport(job)) {}
  Fleet::RunId submit(Fleet& fleet) {
    return fleet.submit(job, [this](Fleet::RunId, const Event& event) {
      const std::lock_guard lock(mutex);
      fold(report, event);
      if (std::holds_alternative<Finished>(event)) expectLosses(report, subjectOf(job));
      events.push_back(event);
      changed.notify_all();
    });
  }
  template <class E>
  void waitFor() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] {
      return std::any_of(events.begin(), events.end(), [](const Event& event) { return is<E>(event); });
    });
  }
  [[nodiscard]] std::vector<Verdict> verdicts(std::size_t kernel) const {
    std::vector<Verdict> result;
    const auto& cases = report.kernels.at(kernel)->cases;
    for (std::size_t i = 0; i < cases.size(); ++i) result.push_back(cases[i].check.verdict);
    return result;
  }
  Job job;
  Report report;
  std::vector<Event> events;
  std::mutex mutex;
  std::condition_variable changed;
};

TEST(Fleet, GivesTheReportThatOneRunnerGives) {
  // The fake's times go by a case's number in its job, which a fleet's second phase changes: checks only.
  const Job job = fakeJob(
      {"--mode=segfault:3", "", "--mismatch=5", "--mode=compile-error", "--mismatch=none", ""}, false);
  Recorder alone(job);
  Runner runner(fakeLauncher({}), "cpu", quickOptions());
  alone.submit(runner);
  Report one = alone.wait();
  FleetRecorder together(job);
  {
    Fleet fleet(fakes(3), quickOptions());
    together.submit(fleet);
    fleet.wait();
  }
  Report many = together.report;
  EXPECT_EQ(together.verdicts(0), (std::vector{P, P, M, C, P, P, P, P}));
  ASSERT_EQ(many.kernels.size(), one.kernels.size());
  for (std::size_t k = 0; k < one.kernels.size(); ++k) {
    EXPECT_EQ(many.kernels[k]->cases, one.kernels[k]->cases) << k;
    EXPECT_EQ(many.kernels[k]->counts, one.kernels[k]->counts) << k;
    EXPECT_EQ(many.kernels[k]->progress, one.kernels[k]->progress) << k;
    EXPECT_EQ(many.kernels[k]->diagnostics, one.kernels[k]->diagnostics) << k;
    EXPECT_EQ(many.kernels[k]->failure, one.kernels[k]->failure) << k;
  }
  EXPECT_EQ(many.outcome, one.outcome);
  EXPECT_EQ(many.target.deviceName, one.target.deviceName);
}

TEST(Fleet, HasMoreWorkersThanKernels) {
  Job job = fakeJob({""});
  job.kernels[0].text = "// fake: --mismatch=none\n";  // as many cases as the job has
  for (int i = 0; i < 40; ++i) {
    Case each;
    each.op = "aten::relu";
    each.args = std::to_string(i);
    job.cases.push_back(each);
  }
  FleetRecorder run(job);
  Fleet fleet(fakes(4), quickOptions());
  run.submit(fleet);
  fleet.wait();
  EXPECT_EQ(run.verdicts(0), std::vector(40, P));
  EXPECT_EQ(counts(run.report).timed, 40);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(run.report.kernels[0]->cases[i].definition.args, std::to_string(i));
}

TEST(Fleet, CancelEndsAllMembersAndTheNextRunBegins) {
  FleetRecorder slow(fakeJob({"--delay=0.2", "--delay=0.2", "--delay=0.2"})), next(fakeJob({"", ""}));
  Fleet fleet(fakes(2), quickOptions());
  const auto id = slow.submit(fleet);
  next.submit(fleet);
  slow.waitFor<CaseCheck>();
  fleet.cancel(id);
  fleet.wait();
  EXPECT_EQ(slow.report.outcome, Outcome::cancelled);
  EXPECT_EQ(next.report.outcome, Outcome::finished);
  EXPECT_EQ(counts(next.report).timed, 14);
}

TEST(Fleet, AQueuedRunIsCancelledAtOnce) {
  FleetRecorder slow(fakeJob({"--delay=0.05"})), queued(fakeJob());
  Fleet fleet(fakes(2), quickOptions());
  slow.submit(fleet);
  fleet.cancel(queued.submit(fleet));
  fleet.wait();
  EXPECT_EQ(queued.report.outcome, Outcome::cancelled);
  EXPECT_EQ(slow.report.outcome, Outcome::finished);
}

TEST(Fleet, DestructionCancelsWhatIsLeft) {
  FleetRecorder running(fakeJob({"--delay=0.2", "--delay=0.2"})), queued(fakeJob());
  {
    Fleet fleet(fakes(2), quickOptions());
    running.submit(fleet);
    queued.submit(fleet);
    running.waitFor<Compiled>();
  }
  EXPECT_EQ(running.report.outcome, Outcome::cancelled);
  EXPECT_EQ(queued.report.outcome, Outcome::cancelled);
}

TEST(Fleet, AMemberWhoseWorkersDoNotStartLeavesTheRestToTheOthers) {
  std::vector<FleetMember> members = fakes(1);
  members.push_back({fakeLauncher({"--mode=hello-failure"}), "cpu"});
  FleetRecorder run(fakeJob({"", "", "", ""}));
  Fleet fleet(std::move(members), quickOptions());
  run.submit(fleet);
  fleet.wait();
  EXPECT_EQ(run.report.outcome, Outcome::finished);
  EXPECT_EQ(counts(run.report).checked, 32);
}

}  // namespace
}  // namespace wb
