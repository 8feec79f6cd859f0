// SPDX-License-Identifier: Apache-2.0
// What the runner relies on, of the fake worker and of the real one. What the fake does otherwise than the
// real one proves nothing in the tests that use it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process/process.h"
#include "core/model/json/event_bounds.h"
#include "core/protocol/channel.h"
#include "core/run/fit.h"
#include "core/run/remaining.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

/// A worker on pipes.
class PipedWorker {
 public:
  explicit PipedWorker(const std::string& program) : child_(*Child::start({{program}, {}, {}})) {}

  /// The next message, or nothing and a failure when none comes.
  std::optional<Received> next() {
    Result<std::optional<Received>> received = reader_.receive(seconds{60});
    if (!received || !*received) {
      ADD_FAILURE() << (received ? "no message came" : received.error().text);
      return std::nullopt;
    }
    return **std::move(received);
  }
  template <class T>
  T expect() {
    while (std::optional<Received> received = next())
      if (auto* message = std::get_if<T>(&received->message)) return std::move(*message);
    return T{};
  }
  void send(const Message& message, std::uint32_t run = 0) { EXPECT_TRUE(writer_.send(message, run)); }
  void greet() {
    EXPECT_EQ(expect<Hello>().failure, "");
    send(Welcome{});
  }
  /// The events of a run up to its end, which must all carry the run's number.
  std::vector<Event> eventsOf(std::uint32_t run) {
    std::vector<Event> events;
    while (std::optional<Received> received = next()) {
      auto* happened = std::get_if<Happened>(&received->message);
      if (happened == nullptr || received->run != run) continue;
      events.push_back(std::move(happened->event));
      if (std::holds_alternative<Finished>(events.back())) break;
    }
    return events;
  }
  std::vector<Event> run(const Job& job, std::uint32_t run = 1) {
    send(RunJob{job}, run);
    return eventsOf(run);
  }
  /// How many heartbeats come until nothing comes for so long.
  int beatsBeforeSilenceOf(std::chrono::milliseconds limit) {
    int beats = 0;
    while (true) {
      const Result<std::optional<Received>> received = reader_.receive(limit);
      if (!received || !*received) return beats;
      if (std::holds_alternative<Heartbeat>((*received)->message) && ++beats > 3) return beats;
    }
  }
  Child& child() { return child_; }
  Ending ending() {
    const auto [ended, how] = child_.wait(seconds{20});
    EXPECT_TRUE(ended);
    return how;
  }

 private:
  Child child_;
  MessageReader reader_{child_.output()};
  MessageWriter writer_{child_.input()};
};

class WorkerContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam())) GTEST_SKIP() << GetParam() << " is not built";
  }
};

/// ATen against itself, so that no compiler is needed; the fake takes any.
Job jobOf(std::size_t kernels = 1, std::size_t cases = 4) {
  Job job;
  for (std::size_t i = 0; i < cases; ++i) {
    Case one;
    one.op = "aten::relu";
    one.args = "((T([" + std::to_string(100 + i) + "], f32),), {})";
    one.dtype = "f32";
    job.cases.push_back(one);
  }
  job.kernels.assign(kernels, {"", "// fake: --mismatch=none\n", "aten", "relu", "", ""});
  job.suite = "contract";
  job.timing.capSeconds = 0.05;
  return job;
}

/// Follows a worker as the runner does.
struct Followed {
  explicit Followed(Job wanted) : job(std::move(wanted)), report(startReport(job)) { handOver(); }
  void take(const Event& event) {
    fold(report, event);
    follow(at, event);
  }
  /// Takes the events of a run, and fails for every one that the runner would take for another's words.
  void expectFit(const std::vector<Event>& events) {
    for (const Event& event : events) {
      if (std::holds_alternative<Finished>(event)) break;
      EXPECT_EQ(fit(job, report, work, at, event).misfit, "") << "event " << event.index();
      take(event);
    }
  }
  void handOver() {
    work = remaining(job, report);
    wb::handOver(at, work);
  }
  [[nodiscard]] std::vector<KernelWork> rest() const { return remaining(job, report).kernels; }

  Job job;
  Report report;
  JobWork work;
  AtWork at;
};

void expectAllFit(const Job& job, const std::vector<Event>& events) {
  Followed followed(job);
  followed.expectFit(events);
  EXPECT_THAT(followed.rest(), testing::IsEmpty());
}

template <class E>
std::size_t count(const std::vector<Event>& events) {
  std::size_t number = 0;
  for (const Event& event : events) number += is<E>(event);
  return number;
}

TEST_P(WorkerContract, GreetsFirstAndEndsWhenTold) {
  PipedWorker worker(GetParam());
  const std::optional<Received> first = worker.next();
  ASSERT_TRUE(first);
  const auto* hello = std::get_if<Hello>(&first->message);
  ASSERT_NE(hello, nullptr);
  EXPECT_EQ(hello->protocol, protocolVersion);
  EXPECT_EQ(hello->failure, "");
  EXPECT_EQ(hello->target.device, "cpu");
  worker.send(Welcome{});
  worker.send(Bye{});
  EXPECT_EQ(worker.ending(), (Ending{0, 0}));
}

TEST_P(WorkerContract, BeatsWhileItWorksAndIsSilentAtRest) {
  PipedWorker worker(GetParam());
  worker.greet();
  worker.send(RunJob{jobOf(1, 3000)}, 1);
  const auto beat = worker.expect<Heartbeat>().beat;
  EXPECT_GT(worker.expect<Heartbeat>().beat, beat);
  worker.send(Cancel{}, 1);
  worker.eventsOf(1);
  EXPECT_LE(worker.beatsBeforeSilenceOf(std::chrono::milliseconds{2500}), 1) << "one was on its way";
  expectAllFit(jobOf(), worker.run(jobOf(), 2));
}

TEST_P(WorkerContract, SaysWhatHappensInItsOrderAndFinishedLast) {
  PipedWorker worker(GetParam());
  worker.greet();
  const Job job = jobOf(2);
  for (std::uint32_t run = 1; run <= 2; ++run) {
    const std::vector<Event> events = worker.run(job, run);
    ASSERT_FALSE(events.empty());
    EXPECT_TRUE(std::holds_alternative<JobStarted>(events.front()));
    EXPECT_EQ(count<JobStarted>(events), 1U);
    EXPECT_EQ(count<Compiled>(events), 2U);
    EXPECT_EQ(count<CaseCheck>(events), 8U);
    EXPECT_EQ(count<CaseTiming>(events) + count<NoResult>(events), 8U);
    EXPECT_EQ(count<Finished>(events), 1U);
    const auto* last = std::get_if<Finished>(&events.back());
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->outcome, Outcome::finished);
    expectAllFit(job, events);
  }
}

TEST_P(WorkerContract, GoesOnWhereAnotherWorkerWasLost) {
  PipedWorker worker(GetParam());
  worker.greet();
  Job job = jobOf(2);
  expectAllFit(job, worker.run(job));
  // As after a loss in case 2 of the first kernel.
  Followed lost(job);
  Compiled compiled;
  compiled.cases = job.cases;
  lost.take(JobStarted{{.device = "cpu"}, "2026-01-02T03:04:05Z"});
  lost.take(StepStarted{Stage::compile, 0, {}});
  lost.take(compiledStep(compiled));
  for (const std::uint32_t i : {0U, 1U}) {
    lost.take(StepStarted{Stage::check, 0, i});
    CaseCheck check;
    check.verdict = i == 0 ? Verdict::pass : Verdict::crashed;
    lost.take(StepDone{Stage::check, 0, i, check});
  }
  lost.handOver();
  job.work = lost.work;
  const std::vector<std::uint32_t> toCheck{2, 3}, toTime{0, 2, 3};
  const KernelWork left{0, true, {{Stage::check, toCheck}, {Stage::time, toTime}}, {}, {0}, {}};
  ASSERT_EQ(*job.work, (JobWork{true, {left, wholeOf(job, 1)}}));
  const std::vector<Event> rest = worker.run(job, 2);
  EXPECT_EQ(count<JobStarted>(rest), 0U);
  EXPECT_EQ(std::count(rest.begin(), rest.end(), Event(compileStarted(0))), 1);  // its code is loaded again
  EXPECT_EQ(std::count(rest.begin(), rest.end(), Event(compileStarted(1))), 1);
  EXPECT_EQ(count<Compiled>(rest), 1U);  // the second kernel's alone
  EXPECT_EQ(count<CaseCheck>(rest), 2U + 4U);
  EXPECT_EQ(count<CaseTiming>(rest) + count<NoResult>(rest), 3U + 4U);
  lost.expectFit(rest);
  EXPECT_THAT(lost.rest(), testing::IsEmpty());
}

TEST_P(WorkerContract, DoesThePartOfAJobThatItWasGiven) {
  PipedWorker worker(GetParam());
  worker.greet();
  Job job = jobOf(2);
  const std::vector<std::uint32_t> cases{1, 3}, times{3};
  job.work = JobWork{false, {{1, false, {{Stage::check, cases}, {Stage::time, times}}, {}, {}, {}}}};
  const std::vector<Event> events = worker.run(job);
  EXPECT_EQ(count<JobStarted>(events), 1U);
  EXPECT_EQ(count<Compiled>(events), 1U);
  std::vector<std::uint32_t> checked, timed;
  for (const Event& event : events) {
    const auto* done = std::get_if<StepDone>(&event);
    if (done == nullptr || !done->index) continue;
    EXPECT_EQ(done->kernel, 1U);  // under the numbers of the whole job
    (done->stage == Stage::check ? checked : timed).push_back(*done->index);
  }
  EXPECT_EQ(checked, cases);
  EXPECT_EQ(timed, times);
}

TEST_P(WorkerContract, ACancelledRunEndsSoAndTheNextOneRuns) {
  PipedWorker worker(GetParam());
  worker.greet();
  Job job = jobOf(1, 3000);
  worker.send(RunJob{job}, 1);
  worker.expect<Happened>();  // it has begun
  worker.send(Cancel{}, 1);
  const std::vector<Event> events = worker.eventsOf(1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(std::get<Finished>(events.back()).outcome, Outcome::cancelled);
  EXPECT_LT(count<CaseTiming>(events), 3000U);
  const Job small = jobOf();
  expectAllFit(small, worker.run(small, 2));
}

TEST_P(WorkerContract, PassesOverMessagesThatItDoesNotKnow) {
  PipedWorker worker(GetParam());
  worker.greet();
  const std::string unknown = encode(Frame{999, 0, 0, "what is this?"});
  ASSERT_EQ(::write(worker.child().input(), unknown.data(), unknown.size()),
            static_cast<ssize_t>(unknown.size()));
  worker.send(Ping{});
  const Job job = jobOf();
  expectAllFit(job, worker.run(job));
}

TEST_P(WorkerContract, AKernelThatDoesNotCompileFailsItsStageAndTheNextOneRuns) {
  PipedWorker worker(GetParam());
  worker.greet();
  Job job = jobOf(2);
  job.stages.remove(Stage::time);
  const std::string longError(100000, 'e');
  job.kernels[0] = {"relu.cpp",
                    "#include <ATen/ATen.h>\n#error " + longError +
                        "\nat::Tensor relu(const at::Tensor& x) { return x; }\n",
                    "torch_cpp",
                    "relu",
                    "",
                    ""};
  const std::vector<Event> events = worker.run(job);
  EXPECT_GE(count<Diagnosed>(events), 1U);
  ASSERT_EQ(count<StageFailed>(events), 1U);
  for (const Event& event : events) {
    if (const auto* failed = std::get_if<StageFailed>(&event)) {
      EXPECT_EQ(failed->kernel, 0U);
      EXPECT_EQ(failed->error.stage, Stage::compile);
    }
    Event bounded = event;
    boundTexts(bounded);
    EXPECT_EQ(bounded, event) << "a text longer than anybody reads in event " << event.index();
  }
  EXPECT_EQ(count<CaseCheck>(events), 4U);
  expectAllFit(job, events);
}

TEST_P(WorkerContract, AnOperatorThatDoesNotExistIsAFailureOfItsKernel) {
  PipedWorker worker(GetParam());
  worker.greet();
  Job job = jobOf(2);
  job.stages.remove(Stage::time);
  job.kernels[0].op = "no_such_operator";
  const std::vector<Event> events = worker.run(job);
  ASSERT_EQ(count<StageFailed>(events), 1U);
  for (const Event& event : events)
    if (const auto* failed = std::get_if<StageFailed>(&event)) {
      EXPECT_EQ(failed->kernel, 0U);
      EXPECT_THAT(failed->error.text, HasSubstr("no_such_operator"));
    }
  EXPECT_EQ(count<CaseCheck>(events), 4U);
  expectAllFit(job, events);
}

TEST_P(WorkerContract, EndsWithItsSupervisorAndAtOnce) {
  for (const bool busy : {false, true}) {
    PipedWorker worker(GetParam());
    worker.greet();
    if (busy) {
      worker.send(RunJob{jobOf(1, 3000)}, 1);
      worker.expect<Happened>();
    }
    worker.child().closeInput();
    EXPECT_EQ(worker.ending(), (Ending{0, 0})) << busy;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, WorkerContract,
                         testing::Values(WB_BINARY_DIR "/tests/bin/warpbench-fake-worker",
                                         WB_BINARY_DIR "/bin/warpbench-worker"),
                         [](const auto& program) {
                           return program.param.find("fake") != std::string::npos ? "TheFakeOne"
                                                                                  : "TheRealOne";
                         });

}  // namespace
}  // namespace wb
