// SPDX-License-Identifier: Apache-2.0
// The promises of the queue, over the fake worker.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/service/run_service.h"
#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST_F(ServiceTest, RunsAJobToItsEnd) {
  std::string course;
  options_.tellCourse = [&](const std::string& text) { course = text; };
  open();
  Submission submission = fakeSubmission();
  submission.note = "what it came from";
  const Job job = submission.job;
  const std::string id = submit(submission);
  const RunStatus status = end(id);
  EXPECT_EQ(status.state, RunState::finished);
  EXPECT_EQ(status.client, "ada");
  EXPECT_EQ(status.device, "cpu");
  EXPECT_EQ(status.title, "relu.cpp");
  EXPECT_EQ(status.note, "what it came from");
  EXPECT_LE(status.submittedAt, status.startedAt);
  EXPECT_LE(status.startedAt, status.endedAt);
  EXPECT_EQ(status.deadlineAt, status.submittedAt + options_.deadlineSeconds);

  const auto report = service_->report(id);
  ASSERT_NE(report, nullptr);
  EXPECT_EQ(report->outcome, Outcome::finished);
  EXPECT_EQ(report->device, "cpu") << "the job's device is a real one when it runs";
  const EventPage page = service_->events(id, 0, 0ms);
  EXPECT_TRUE(page.isLast);
  Job resolved = job;
  resolved.device = "cpu";
  Report folded = startReport(resolved);
  for (const auto& event : page.events) fold(folded, *event);
  EXPECT_EQ(folded, *report);

  const ServiceCounts counts = service_->counts();
  EXPECT_EQ(counts.accepted, 1U);
  EXPECT_EQ(counts.finished, 1U);
  EXPECT_EQ(counts.running + counts.queued, 0U);
  EXPECT_GT(counts.ran, 0);
  for (const char* part : {"queue", "worker", "compile", "check", "end"})
    EXPECT_THAT(course, HasSubstr(part));
}

TEST_F(ServiceTest, KeepsResultsForTheNextService) {
  open();
  Submission submission = fakeSubmission();
  submission.note = "what it came from";
  const std::string id = submit(submission);
  const RunStatus before = end(id);
  const auto report = service_->report(id);
  open();
  const auto after = service_->status(id);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->state, RunState::finished);
  EXPECT_EQ(after->note, "what it came from");
  EXPECT_EQ(after->endedAt, before.endedAt);
  ASSERT_NE(service_->report(id), nullptr);
  EXPECT_EQ(service_->report(id)->kernels, report->kernels);
  EXPECT_TRUE(service_->events(id, 0, patience).isLast);
  EXPECT_EQ(end(id).state, RunState::finished);
  EXPECT_THAT(service_->runs(10), SizeIs(1));
}

TEST_F(ServiceTest, TellsEventsAsTheyCome) {
  open();
  const std::string id = submit(endless());
  waitUntilAtWork(id);
  EXPECT_EQ(service_->status(id)->state, RunState::running);
  EXPECT_THAT(service_->devices().at(0).runs, ElementsAre(id));
  EXPECT_EQ(service_->report(id)->outcome, Outcome::running);
  service_->cancel(id, "enough");
  std::uint64_t next = 0;
  std::vector<std::shared_ptr<const Event>> all;
  for (bool isLast = false; !isLast;) {
    const EventPage page = service_->events(id, next, patience);
    EXPECT_EQ(page.first, next);
    EXPECT_EQ(page.next, next + page.events.size());
    all.insert(all.end(), page.events.begin(), page.events.end());
    next = page.next;
    isLast = page.isLast;
  }
  EXPECT_TRUE(std::holds_alternative<Finished>(*all.back()));
  EXPECT_EQ(end(id).reason, "enough");
}

TEST_F(ServiceTest, CancelsWhatRunsAndWhatWaits) {
  open();
  const std::string running = submit(endless());
  const std::string waiting = submit(fakeSubmission());
  const std::string next = submit(fakeSubmission());
  waitUntilAtWork(running);
  EXPECT_EQ(service_->status(waiting)->ahead, 0U);
  EXPECT_EQ(service_->status(next)->ahead, 1U);
  EXPECT_EQ(service_->report(waiting)->kernels.size(), 1U) << "a report of what is known: nothing yet";

  EXPECT_TRUE(service_->cancel(waiting, "not wanted"));
  const auto status = service_->status(waiting);
  EXPECT_EQ(status->state, RunState::cancelled) << "at once";
  EXPECT_EQ(status->reason, "not wanted");
  EXPECT_EQ(service_->report(waiting)->outcome, Outcome::cancelled);
  EXPECT_THAT(service_->events(waiting, 0, patience).events, SizeIs(1));
  EXPECT_EQ(service_->status(next)->ahead, 0U);

  EXPECT_TRUE(service_->cancel(running, "not wanted either"));
  EXPECT_EQ(end(running).state, RunState::cancelled);
  EXPECT_EQ(end(next).state, RunState::finished);
  EXPECT_TRUE(service_->cancel(next, "too late"));
  EXPECT_EQ(service_->status(next)->state, RunState::finished);
  EXPECT_FALSE(service_->cancel("no such run", ""));
  EXPECT_FALSE(service_->status("no such run"));
  EXPECT_FALSE(service_->waitFor("no such run", patience, {}));
  EXPECT_TRUE(service_->events("no such run", 0, patience).isLast);
}

TEST_F(ServiceTest, ADeadlineEndsTheWorkAndFreesTheDevice) {
  open();
  Submission hung = endless();
  hung.deadlineSeconds = 0.5;
  const std::string first = submit(hung);
  const std::string second = submit(fakeSubmission("bob"));
  const RunStatus expired = end(first);
  EXPECT_EQ(expired.state, RunState::expired);
  EXPECT_THAT(expired.reason, HasSubstr("deadline"));
  EXPECT_EQ(service_->report(first)->outcome, Outcome::cancelled);
  EXPECT_EQ(end(second).state, RunState::finished);
  EXPECT_EQ(service_->counts().expired, 1U);
}

TEST_F(ServiceTest, WhatWaitsExpiresToo) {
  open();
  const std::string hung = submit(endless());
  waitUntilAtWork(hung);
  Submission late = fakeSubmission("bob");
  late.deadlineSeconds = 0.1;
  const std::string waiting = submit(late);
  EXPECT_EQ(end(waiting).state, RunState::expired);
  EXPECT_EQ(service_->status(hung)->state, RunState::running);
  EXPECT_EQ(service_->counts().queued, 0U);
}

TEST_F(ServiceTest, AClientThatGoesAwayEndsItsRun) {
  open();
  const std::string id = submit(endless());
  const auto status = service_->waitFor(id, patience, [] { return false; });
  ASSERT_TRUE(status);
  EXPECT_EQ(end(id).state, RunState::cancelled);
}

TEST_F(ServiceTest, ARunThatAnotherWaitsForGoesOn) {
  open();
  const std::string id = submit(endless());
  waitUntilAtWork(id);
  std::atomic<bool> otherWaits{false};
  std::thread other([&] {
    service_->waitFor(id, patience, [&] {
      otherWaits = true;
      return true;
    });
  });
  // It stays until the other one waits as well, and then goes away.
  service_->waitFor(id, patience, [&] { return !otherWaits; });
  EXPECT_EQ(service_->status(id)->state, RunState::running);
  service_->cancel(id, "");
  other.join();
}

TEST_F(ServiceTest, AKeyMakesTheSecondSubmissionTheFirst) {
  open();
  Submission submission = fakeSubmission();
  submission.idempotencyKey = "once";
  const std::string id = submit(submission);
  EXPECT_EQ(submit(submission), id);
  end(id);
  EXPECT_EQ(submit(submission), id) << "also when it is over";
  Submission other = submission;
  other.client = "bob";
  EXPECT_NE(submit(other), id) << "keys are a client's own";
  open();
  EXPECT_EQ(submit(submission), id) << "also after a restart";
  EXPECT_EQ(service_->counts().accepted, 0U);
}

TEST_F(ServiceTest, AKeyStandsForOneRequest) {
  open();
  Submission submission = fakeSubmission();
  submission.idempotencyKey = "once";
  submission.requestHash = "a";
  const std::string id = submit(submission);
  EXPECT_EQ(submit(submission), id);
  Submission other = submission;
  other.requestHash = "b";
  end(id);
  open();
  const auto refused = refusal(other);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->cause, Refusal::Cause::keyIsTaken);
  EXPECT_EQ(refused->retryAfterSeconds, 0);
  EXPECT_THAT(refused->error.text, HasSubstr(id));
  other.requestHash.clear();
  EXPECT_EQ(submit(other), id) << "a request without a hash, as older versions wrote them, is any";
}

TEST_F(ServiceTest, AFullQueueRefusesAndSaysWhenToComeAgain) {
  options_.mostQueued = 3;
  options_.mostQueuedPerClient = 2;
  open();
  waitUntilAtWork(submit(endless()));
  submit(fakeSubmission("ada"));
  Submission keyed = fakeSubmission("ada");
  keyed.idempotencyKey = "once";
  const std::string known = submit(keyed);
  const auto ofClient = refusal(fakeSubmission("ada"));
  ASSERT_TRUE(ofClient);
  EXPECT_THAT(ofClient->error.text, HasSubstr("2 of your runs wait"));
  EXPECT_GE(ofClient->retryAfterSeconds, 1);
  submit(fakeSubmission("bob"));
  const auto ofAll = refusal(fakeSubmission("eve"));
  ASSERT_TRUE(ofAll);
  EXPECT_THAT(ofAll->error.text, HasSubstr("queue is full"));
  EXPECT_GE(ofAll->retryAfterSeconds, 1);
  EXPECT_EQ(submit(keyed), known) << "what was accepted before is not refused now";
  EXPECT_EQ(service_->counts().refused, 2U);
  EXPECT_EQ(service_->counts().queued, 3U);
}

TEST_F(ServiceTest, RefusesWhatItCannotRun) {
  open({"cpu"});
  Submission elsewhere = fakeSubmission();
  elsewhere.job.device = "cuda:3";
  EXPECT_THAT(refusal(elsewhere)->error.text, HasSubstr("no device cuda:3 here; there is cpu"));
  EXPECT_EQ(refusal(elsewhere)->retryAfterSeconds, 0);
  Submission urgent = fakeSubmission();
  urgent.priority = 101;
  EXPECT_THAT(refusal(urgent)->error.text, HasSubstr("priority"));
  for (const double seconds : {-1.0, 1e9, std::nan("")}) {
    Submission late = fakeSubmission();
    late.deadlineSeconds = seconds;
    EXPECT_THAT(refusal(late)->error.text, HasSubstr("deadline is at most 3600 s"));
  }
  Submission wordy = fakeSubmission();
  wordy.note = std::string((std::size_t{1} << 20) + 1, 'x');
  EXPECT_THAT(refusal(wordy)->error.text, HasSubstr("note"));
  EXPECT_THAT(refusal(Submission{})->error.text, HasSubstr("no kernel"));
}

TEST_F(ServiceTest, IsFairFromSubmissionToResult) {
  open();
  const std::string blocker = submit(endless("blocker"));
  waitUntilAtWork(blocker);
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(submit(fakeSubmission("ada")));
  ids.push_back(submit(fakeSubmission("bob")));
  Submission urgent = fakeSubmission("ada");
  urgent.priority = 1;
  ids.push_back(submit(urgent));
  EXPECT_EQ(service_->status(ids[5])->ahead, 0U);
  EXPECT_EQ(service_->status(ids[4])->ahead, 1U);
  EXPECT_EQ(service_->status(ids[0])->ahead, 2U);
  service_->cancel(blocker, "");
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < ids.size(); ++i) order.emplace_back(end(ids[i]).startedAt, i);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> numbers;
  for (const auto& [when, number] : order) numbers.push_back(number);
  EXPECT_THAT(numbers, ElementsAre(5, 4, 0, 1, 2, 3));
}

TEST_F(ServiceTest, MoreJobsWaitThanAreAtHand) {
  open();
  const std::string blocker = submit(endless("blocker"));
  waitUntilAtWork(blocker);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < RunService::mostJobsAtHand + 4; ++i) {
    Submission each = fakeSubmission();
    each.job.kernels[0].path = std::to_string(i) + ".cpp";
    if (i == 1) each.job.kernels[0].text += std::string(RunService::mostTextAtHand, '/');
    ids.push_back(submit(std::move(each)));
  }
  service_->cancel(ids[0], "");
  EXPECT_EQ(end(ids[0]).state, RunState::cancelled);
  service_->cancel(blocker, "");
  for (std::size_t i = 1; i < ids.size(); ++i) {
    EXPECT_EQ(end(ids[i]).state, RunState::finished) << i;
    EXPECT_EQ(service_->report(ids[i])->kernels[0]->source.path, std::to_string(i) + ".cpp");
  }
}

TEST_F(ServiceTest, DevicesWorkSideBySide) {
  open({"cuda:0", "cuda:1"});
  Submission first = endless("ada"), second = endless("ada");
  first.job.device = "cuda:1";
  const std::string named = submit(first);
  waitUntilAtWork(named);
  const std::string any = submit(second);
  waitUntilAtWork(any);
  EXPECT_EQ(service_->status(named)->device, "cuda:1");
  EXPECT_EQ(service_->status(any)->device, "cuda:0");
  EXPECT_EQ(service_->counts().running, 2U);
}

/// A launcher whose workers never start.
class BrokenLauncher final : public Launcher {
 public:
  Result<Child> launch(const WorkerWish&) override {
    return Error{Stage::setup, "the driver is gone", "look at /dev/nvidia1"};
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return 1s; }
};

TEST_F(ServiceTest, ABrokenDeviceLeavesItsRunsToOthers) {
  open({"cuda:0", "cuda:1"}, [](const std::string& device) {
    if (device == "cuda:0") return fakeRunner(device);
    return std::make_unique<Runner>(std::make_unique<BrokenLauncher>(), device, quickOptions());
  });
  Submission named = fakeSubmission();
  named.job.device = "cuda:1";
  const RunStatus failed = end(submit(named));
  EXPECT_EQ(failed.state, RunState::failed);
  EXPECT_EQ(failed.reason, "No worker could be started on cuda:1.");
  EXPECT_THAT(told(), HasSubstr("the driver is gone"));
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(submit(fakeSubmission()));
  for (const std::string& id : ids) EXPECT_EQ(end(id).state, RunState::finished);
  const std::vector<DeviceState> devices = service_->devices();
  EXPECT_EQ(devices.at(0).noWorker, "");
  EXPECT_EQ(devices.at(1).noWorker, "the driver is gone");
}

TEST_F(ServiceTest, ADrainWaitsForWhatRunsAndKeepsWhatWaits) {
  open();
  const std::string running = submit(endless());
  waitUntilAtWork(running);
  const std::string waiting = submit(fakeSubmission());
  service_->drain(0ms);
  const auto refused = refusal(fakeSubmission());
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->error.text, HasSubstr("about to end"));
  EXPECT_GE(refused->retryAfterSeconds, 1);
  EXPECT_EQ(service_->status(running)->state, RunState::running);
  service_->cancel(running, "");
  service_->drain(patience);
  EXPECT_EQ(service_->counts().running, 0U);
  EXPECT_EQ(service_->status(running)->state, RunState::cancelled);
  EXPECT_EQ(service_->status(waiting)->state, RunState::queued);
  open();
  EXPECT_EQ(end(waiting).state, RunState::finished);
  EXPECT_EQ(service_->status(waiting)->restarts, 0);
}

}  // namespace
}  // namespace wb
