// SPDX-License-Identifier: Apache-2.0
// What the service keeps of its runs, and how many it bears, over the fake worker.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "core/service/run_service.h"
#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

TEST_F(ServiceTest, WhatIsKeptNoLongerIsGone) {
  open();
  const std::string id = submit(fakeSubmission());
  end(id);
  const std::string running = submit(endless());
  EXPECT_TRUE(service_->report(id));
  options_.keepSeconds = 0;
  open();
  // The service looks every second for what is too old.
  const auto before = std::chrono::steady_clock::now() + patience;
  while (service_->status(id) && std::chrono::steady_clock::now() < before) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(service_->status(id));
  EXPECT_EQ(service_->report(id), nullptr);
  EXPECT_TRUE(service_->status(running));
}

TEST_F(ServiceTest, WhatHasNoRoomInMemoryIsReadFromTheDisk) {
  options_.recentBytes = 1;
  open();
  const std::string id = submit(fakeSubmission());
  EXPECT_EQ(end(id).state, RunState::finished);
  // It is dropped within a second.
  const auto before = std::chrono::steady_clock::now() + patience;
  while (!service_->events(id, 0, 0ms).events.empty() && std::chrono::steady_clock::now() < before)
    std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(service_->events(id, 0, 0ms).events.empty());
  EXPECT_TRUE(service_->events(id, 0, 0ms).areForgotten);
  EXPECT_EQ(service_->status(id)->state, RunState::finished);
  ASSERT_TRUE(service_->report(id));
  EXPECT_EQ(service_->report(id)->outcome, Outcome::finished);
}

TEST_F(ServiceTest, WhoFollowsARunThatHasJustEndedFindsItsEventsWhereThereIsLittleRoom) {
  // The run alone takes more than this, and less than eight times as much.
  options_.recentBytes = 4000;
  open();
  const std::string id = submit(fakeSubmission());
  EXPECT_EQ(end(id).state, RunState::finished);
  // The service looks every second for what is to be dropped.
  std::this_thread::sleep_for(2500ms);
  EXPECT_FALSE(service_->events(id, 0, 0ms).events.empty());
  EXPECT_FALSE(service_->events(id, 0, 0ms).areForgotten);
}

TEST_F(ServiceTest, ListsWhatWaitsAndRunsBeforeWhatIsOver) {
  open();
  const std::string over = submit(fakeSubmission());
  end(over);
  const std::string running = submit(endless());
  waitUntilAtWork(running);
  Submission noted = fakeSubmission();
  noted.note = "large";
  const std::string waiting = submit(noted);
  std::vector<std::string> ids;
  for (const RunStatus& status : service_->runs(10)) {
    ids.push_back(status.id);
    EXPECT_EQ(status.note, "");
  }
  EXPECT_THAT(ids, ElementsAre(waiting, running, over));
  EXPECT_THAT(service_->runs(1), SizeIs(1));
}

TEST_F(ServiceTest, SixteenThreadsAtOnce) {
  options_.mostQueuedPerClient = 1000;
  open({"cpu"});
  std::vector<std::thread> threads;
  std::array<std::atomic<int>, 2> ended{};
  for (int thread = 0; thread < 16; ++thread)
    threads.emplace_back([this, thread, &ended] {
      const std::string client = "client " + std::to_string(thread % 5);
      for (int i = 0; i < 4; ++i) {
        Submission submission = fakeSubmission(client);
        submission.idempotencyKey = "key " + std::to_string(i);
        submission.priority = thread % 3;
        const auto answer = service_->submit(std::move(submission));
        const std::string id = std::get<std::string>(answer);
        if ((thread + i) % 3 == 0) service_->cancel(id, "not wanted");
        (void)service_->status(id);
        (void)service_->runs(5);
        (void)service_->counts();
        (void)service_->devices();
        (void)service_->events(id, 0, 1ms);
        (void)service_->report(id);
        const auto status = service_->waitFor(id, patience, [] { return true; });
        ++ended.at(status && isOver(status->state) ? 1 : 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ended[0], 0);
  EXPECT_EQ(ended[1], 64);
  const ServiceCounts counts = service_->counts();
  EXPECT_EQ(counts.accepted, 20U) << "five clients with four keys each";
  EXPECT_EQ(counts.finished + counts.cancelled, 20U);
  EXPECT_EQ(counts.queued + counts.running, 0U);
}

TEST_F(ServiceTest, TwentyThousandRunsWait) {
  options_.mostQueued = options_.mostQueuedPerClient = 30'000;
  // In memory where that is there: how long a disk takes to sync is not ours.
  const std::filesystem::path memory = "/dev/shm";
  const TemporaryFolder folder(
      std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path());
  options_.folder = folder.path();
  open();
  waitUntilAtWork(submit(endless("blocker")));
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  auto start = Clock::now();
  std::vector<std::string> ids;
  for (int i = 0; i < 20'000; ++i) ids.push_back(submit(fakeSubmission("client " + std::to_string(i % 20))));
  const double submitting = seconds(start);
  start = Clock::now();
  for (std::size_t i = 0; i < ids.size(); i += 100) EXPECT_EQ(service_->status(ids[i])->ahead, i);
  const double asking = seconds(start) / 200;
  start = Clock::now();
  EXPECT_THAT(service_->runs(100), SizeIs(100));
  const double listing = seconds(start);
  start = Clock::now();
  open();
  EXPECT_EQ(service_->counts().queued + service_->counts().running, 20'001U);
  std::cout << "20 000 runs: " << submitting / 20'000 * 1e3 << " ms to submit one, " << asking * 1e3
            << " ms to ask for one, " << listing * 1e3 << " ms to list 100, " << seconds(start)
            << " s to end the service and begin again\n";
  service_.reset();
}

}  // namespace
}  // namespace wb
