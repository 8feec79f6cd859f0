// SPDX-License-Identifier: Apache-2.0
// Whatever ends the process, each run that was accepted is answered for.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <future>

#include "core/service/store/run_journal.h"
#include "tests/core/service/full_disk.h"
#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class RestartTest : public ServiceTest {
 protected:
  /// Does something with a service in a process that then breaks down without ending it. Its runs never end,
  /// unless their kernels say so.
  void inProcessThatBreaksDown(const std::function<void()>& action) {
    const pid_t child = ::fork();
    if (child == 0) {
      open({"cpu"}, [](const std::string& device) { return fakeRunnerWith(device, {"--mode=hang:0"}); });
      action();
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }

  /// Writes a run of a service before into the journal, and gives its id.
  std::string written(JournalRun entry) {
    auto journal = std::move(RunJournal::open(folder_.path())->journal);
    entry.number = 1;
    entry.status.id = "the-run";
    entry.status.device = "cpu";
    EXPECT_TRUE(journal->accept(entry, fakeSubmission().job, ""));
    return entry.status.id;
  }
};

TEST_F(RestartTest, EveryAcceptedRunIsAnsweredForAfterABreakdown) {
  Submission again = fakeSubmission("ada");
  again.idempotencyKey = "once";
  inProcessThatBreaksDown([&] {
    end(submit(fakeSubmission("done before", "--mode=answer")));
    waitUntilAtWork(submit(fakeSubmission("interrupted")));
    submit(again);
    for (int i = 0; i < 3; ++i) submit(fakeSubmission("bob"));
  });
  open();
  EXPECT_EQ(service_->counts().accepted, 0U);
  ASSERT_THAT(service_->runs(100), SizeIs(6));
  for (const RunStatus& status : service_->runs(100)) {
    const RunStatus ended = end(status.id);
    EXPECT_EQ(ended.state, RunState::finished);
    EXPECT_EQ(ended.restarts, status.client == "interrupted" ? 1 : 0);
    ASSERT_NE(service_->report(status.id), nullptr);
    EXPECT_EQ(service_->report(status.id)->outcome, Outcome::finished);
    if (status.client == "interrupted")
      EXPECT_GE(service_->events(status.id, 0, patience).first, std::uint64_t{1} << 32)
          << "its events begin anew, at a higher number";
    if (status.client == "ada") EXPECT_EQ(submit(again), status.id);
  }
}

TEST_F(RestartTest, AnOrderlyEndPutsBackWhatRuns) {
  open({"cpu"}, [](const std::string& device) { return fakeRunnerWith(device, {"--mode=hang:0"}); });
  const std::string id = submit(fakeSubmission());
  waitUntilAtWork(id);
  open();
  const RunStatus status = end(id);
  EXPECT_EQ(status.state, RunState::finished);
  EXPECT_EQ(status.restarts, 1);
}

TEST_F(RestartTest, ARunThatBreaksTheServiceDownThreeTimesFails) {
  JournalRun entry;
  entry.status.state = RunState::running;
  entry.status.deadlineAt = 4e9;
  entry.interruptions = 1;
  const std::string id = written(entry);
  inProcessThatBreaksDown([&] { waitUntilAtWork(id); });  // the second time
  open();                                                 // finds it interrupted for the third time
  const RunStatus status = end(id);
  EXPECT_EQ(status.state, RunState::failed);
  EXPECT_THAT(status.reason, HasSubstr("broke down 3 times"));
  EXPECT_NE(service_->report(id), nullptr);
  EXPECT_EQ(end(submit(fakeSubmission())).state, RunState::finished);
}

TEST_F(RestartTest, ADeadlineThatPassedMeanwhileIsOver) {
  JournalRun entry;
  entry.status.deadlineAt = 1000;
  const std::string id = written(entry);
  // No device here runs it, so that only its deadline can end it.
  open({"cuda:0"});
  EXPECT_EQ(end(id).state, RunState::expired);
}

TEST_F(RestartTest, AFullDiskRefusesAndLosesNothing) {
  open();
  const std::string id = submit(endless());
  waitUntilAtWork(id);
  {
    const FullDisk full(0);
    const auto refused = refusal(fakeSubmission());
    EXPECT_GT(refused.value_or(Refusal{}).retryAfterSeconds, 0);
    EXPECT_EQ(refused.value_or(Refusal{}).cause, Refusal::Cause::noDisk);
    EXPECT_THAT(told(), HasSubstr("Runs are refused: "));
    const std::string before = told();
    EXPECT_TRUE(refusal(fakeSubmission()));
    EXPECT_EQ(told(), before) << "it is told once a minute at most";
    EXPECT_THAT(refused.value_or(Refusal{}).error.text, Not(HasSubstr(folder_.path().string())));
    service_->cancel(id, "enough");
    EXPECT_EQ(end(id).state, RunState::cancelled) << "its end is known, though it cannot be written down";
    EXPECT_EQ(service_->report(id)->outcome, Outcome::cancelled);
    EXPECT_EQ(service_->counts().running, 0U) << "the device is free again";
  }
  EXPECT_THAT(told(), HasSubstr("is not kept"));
  EXPECT_EQ(end(submit(fakeSubmission())).state, RunState::finished);
  open();
  EXPECT_EQ(service_->status(id)->state, RunState::cancelled) << "it was written down later";
  EXPECT_EQ(service_->report(id)->outcome, Outcome::cancelled);
}

TEST_F(RestartTest, TheNextRunBeginsWhileTheEndOfOneIsWritten) {
  std::promise<void> begun;
  onTell_ = [next = begun.get_future().share()](const std::string& text) {
    if (text.find("is not kept") != std::string::npos) next.wait_for(patience);
  };
  open();
  const std::string id = submit(endless()), next = submit(endless());
  waitUntilAtWork(id);
  {
    const FullDisk full(0);
    service_->cancel(id, "enough");
    waitUntilAtWork(next);
    EXPECT_EQ(service_->status(id)->state, RunState::running) << "nobody is told of an end that may be lost";
    begun.set_value();
    EXPECT_EQ(end(id).state, RunState::cancelled);
  }
  service_->cancel(next, "enough");
  EXPECT_EQ(end(next).state, RunState::cancelled);
  onTell_ = {};
}

TEST_F(RestartTest, AnotherServiceOnTheFolderIsRefused) {
  open();
  const auto second = Service::open(options_, {"cpu"}, fakeRunner);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr("Another service has the folder"));
}

TEST_F(RestartTest, ADamagedJournalIsToldToTheOperator) {
  open();
  service_.reset();
  ASSERT_EQ(::truncate((folder_.path() / "journal.sqlite").c_str(), 5000), 0);
  open();
  EXPECT_THAT(told(), HasSubstr("was damaged"));
  EXPECT_EQ(end(submit(fakeSubmission())).state, RunState::finished);
}

}  // namespace
}  // namespace wb
