// SPDX-License-Identifier: Apache-2.0
// What a fleet makes of its members' events, without threads and workers.
#include "core/runner/fleet_run.h"

#include <gmock/gmock.h>

#include "core/model/report.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Job jobOfKernels(std::size_t kernels, std::size_t cases, bool time = false) {
  Job job;
  for (std::size_t k = 0; k < kernels; ++k) {
    KernelSource source;
    source.path = "relu.cpp";
    source.op = "relu";
    job.kernels.push_back(source);
  }
  for (std::size_t i = 0; i < cases; ++i) {
    Case each;
    each.op = "aten::relu";
    each.args = "case " + std::to_string(i);
    job.cases.push_back(each);
  }
  job.stages.set(Stage::time, time);
  return job;
}

struct Heard {
  explicit Heard(const Job& job) : report(startReport(job)) {}
  Runner::Listener listener() {
    return [this](Runner::RunId, const Event& event) {
      events.push_back(event);
      fold(report, event);
    };
  }
  template <class E>
  [[nodiscard]] int count() const {
    int n = 0;
    for (const Event& event : events) n += is<E>(event);
    return n;
  }
  std::vector<Event> events;
  Report report;
};

/// A worker's answer to an order: passes, but for the verdict given for one case.
void answer(FleetRun& run, const FleetRun::Order& order, Verdict verdict = Verdict::pass) {
  run.take(order.task, JobStarted{});
  run.take(order.task, StepStarted{Stage::compile, 0, {}});
  Compiled compiled;
  compiled.op = "aten::relu";
  compiled.cases = order.job.cases;
  run.take(order.task, compiledStep(compiled));
  CaseCheck check;
  check.verdict = verdict;
  for (std::uint32_t i = 0; order.job.stages.has(Stage::check) && i < order.job.cases.size(); ++i) {
    check.message = order.job.cases[i].args;
    run.take(order.task, StepDone{Stage::check, 0, i, check});
  }
  for (std::uint32_t i = 0; order.job.stages.has(Stage::time) && i < order.job.cases.size(); ++i)
    run.take(order.task, StepDone{Stage::time, 0, i, CaseTiming{}});
  run.take(order.task, Finished{});
}

FleetRun::Rules cpus(std::size_t count) {
  return {std::vector<std::string>(count, "cpu"), 3};
}

TEST(FleetRun, TheKernelWithTheMostCasesGoesFirst) {
  Job job = jobOfKernels(6, 0);
  for (std::uint32_t k = 0; k < 6; ++k) {
    job.kernels[k].op = "op" + std::to_string(k);
    for (std::uint32_t i = 0; i < (k == 4 ? 9U : 2U); ++i)
      job.cases.push_back({.op = "aten::" + job.kernels[k].op});
  }
  const std::vector<FleetTask> tasks = planTasks(job, {}, 2);
  ASSERT_EQ(tasks.size(), 6U);
  EXPECT_EQ(tasks[0].kernel, 4U);
  EXPECT_EQ(tasks[1].kernel, 0U);
}

TEST(FleetRun, CutsAKernelsCasesAndPutsThemTogetherAgain) {
  const Job job = jobOfKernels(1, 40);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  std::vector<FleetRun::Order> orders = run.orders();
  ASSERT_THAT(orders, SizeIs(1)) << "the others wait for the first to compile";
  EXPECT_EQ(orders[0].job.cases.size(), 5U);
  int tasks = 0;
  while (!orders.empty()) {
    std::vector<FleetRun::Order> next;
    for (auto each = orders.rbegin(); each != orders.rend(); ++each, ++tasks) {  // in any order
      answer(run, *each);
      for (FleetRun::Order& more : run.orders()) next.push_back(std::move(more));
    }
    orders = std::move(next);
  }
  EXPECT_EQ(tasks, 8);
  EXPECT_TRUE(run.done());
  EXPECT_EQ(heard.count<JobStarted>(), 1);
  EXPECT_EQ(std::count(heard.events.begin(), heard.events.end(), Event(compileStarted())), 1);
  EXPECT_EQ(heard.count<Compiled>(), 1);
  EXPECT_EQ(heard.count<Finished>(), 1);
  const auto& rows = heard.report.kernels[0]->cases;
  ASSERT_EQ(rows.size(), 40U);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].check.message, "case " + std::to_string(i));
}

TEST(FleetRun, ManyKernelsAreNotCut) {
  const Job job = jobOfKernels(10, 40);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  const auto orders = run.orders();
  EXPECT_THAT(orders, SizeIs(4)) << "two at each";
  EXPECT_EQ(orders[0].job.cases.size(), 40U);
}

TEST(FleetRun, OnSharedDevicesOneTimesAloneWhatPassed) {
  const Job job = jobOfKernels(4, 4, true);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  int check = 0, time = 0;
  for (std::vector<FleetRun::Order> orders = run.orders(); !orders.empty(); orders = run.orders()) {
    for (const FleetRun::Order& order : orders) {
      EXPECT_NE(order.job.stages.has(Stage::check), order.job.stages.has(Stage::time));
      if (order.job.stages.has(Stage::time)) {
        EXPECT_THAT(orders, SizeIs(1));
      }
      (order.job.stages.has(Stage::time) ? time : check)++;
      answer(run, order,
             check == 2 && order.job.stages.has(Stage::check) ? Verdict::mismatch : Verdict::pass);
    }
  }
  EXPECT_EQ(check, 4);
  EXPECT_EQ(time, 3) << "one kernel has nothing to time";
  EXPECT_TRUE(run.done());
  EXPECT_EQ(counts(heard.report).timed, 12);
}

TEST(FleetRun, OnDevicesOfTheirOwnAllTime) {
  const Job job = jobOfKernels(4, 4, true);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), {{"cuda:0", "cuda:1"}, 3});
  run.begin();
  const auto orders = run.orders();
  ASSERT_THAT(orders, SizeIs(2));
  EXPECT_TRUE(orders[1].job.stages.has(Stage::time) && orders[1].job.stages.has(Stage::check));
}

TEST(FleetRun, AKernelThatDoesNotCompileFailsOnce) {
  const Job job = jobOfKernels(1, 40);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  const auto orders = run.orders();
  run.take(orders[0].task, StepStarted{Stage::compile, 0, {}});
  run.take(orders[0].task, StageFailed{0, Error{Stage::compile, "1 error", {}, {}}});
  run.take(orders[0].task, Finished{});
  EXPECT_TRUE(run.done());
  EXPECT_EQ(heard.count<StageFailed>(), 1);
  EXPECT_EQ(heard.report.outcome, Outcome::finished);
}

TEST(FleetRun, AKernelThatKillsWorkersEverywhereIsQuarantined) {
  const Job job = jobOfKernels(1, 40);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(3));
  run.begin();
  const FleetRun::Order first = run.orders().at(0);
  Compiled compiled;
  compiled.op = "aten::relu";
  run.take(first.task, compiledStep(compiled));
  const auto others = run.orders();
  ASSERT_THAT(others, SizeIs(5)) << "two at each";
  CaseCheck crash;
  crash.verdict = Verdict::crashed;
  run.take(first.task, StepDone{Stage::check, 0, 0, crash});
  run.take(others[0].task, StepDone{Stage::check, 0, 0, crash});
  EXPECT_THAT(run.takeSuperfluous(), IsEmpty());
  run.take(others[1].task, StepDone{Stage::check, 0, 0, crash});
  EXPECT_THAT(run.takeSuperfluous(), SizeIs(6));
  EXPECT_THAT(run.orders(), IsEmpty());
  run.take(first.task, Finished{Outcome::cancelled, 0});
  for (const FleetRun::Order& other : others) run.take(other.task, Finished{Outcome::cancelled, 0});
  EXPECT_TRUE(run.done());
  EXPECT_EQ(heard.report.outcome, Outcome::finished);
  EXPECT_EQ(heard.report.kernels[0]->cases[39].check.verdict, Verdict::quarantined);
  EXPECT_THAT(heard.report.kernels[0]->cases[39].check.message, HasSubstr("3 times"));
  EXPECT_EQ(heard.report.kernels[0]->counts.checked, 40);
}

TEST(FleetRun, AMemberThatIsLostLeavesItsRestToTheOthers) {
  const Job job = jobOfKernels(4, 4);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  const auto orders = run.orders();
  run.take(orders[0].task, StageFailed{std::nullopt, Error{Stage::setup, "no torch", {}, {}}});
  run.take(orders[0].task, Finished{Outcome::workerLost, 0});
  answer(run, orders[1]);
  for (auto more = run.orders(); !more.empty(); more = run.orders())
    for (const auto& order : more) {
      EXPECT_EQ(order.member, 1U);
      answer(run, order);
    }
  EXPECT_EQ(heard.report.outcome, Outcome::finished);
  EXPECT_EQ(counts(heard.report).passed, 16);
  EXPECT_FALSE(heard.report.failure);
}

TEST(FleetRun, WithoutAMemberLeftTheRunIsLost) {
  const Job job = jobOfKernels(4, 4);
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  for (const auto& order : run.orders()) {
    run.take(order.task, StageFailed{std::nullopt, Error{Stage::setup, "no torch", {}, {}}});
    run.take(order.task, Finished{Outcome::workerLost, 0});
  }
  EXPECT_EQ(heard.report.outcome, Outcome::workerLost);
  EXPECT_EQ(heard.report.failure->text, "no torch");
}

TEST(FleetRun, AJobWithoutKernelsEndsAtOnce) {
  const Job job;
  Heard heard(job);
  FleetRun run(7, job, heard.listener(), cpus(2));
  run.begin();
  EXPECT_TRUE(run.done());
  EXPECT_THAT(heard.report.failure->text, HasSubstr("no kernel"));
}

}  // namespace
}  // namespace wb
