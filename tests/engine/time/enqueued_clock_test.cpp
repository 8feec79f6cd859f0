// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/engine/time/fake_clock.h"

namespace wb {
namespace {

using testing::ElementsAre;

/// Calls that note that they were run, and what waits for them.
class EnqueuedClock : public testing::Test {
 protected:
  class NotedCall final : public PreparedCall {
   public:
    NotedCall(std::vector<std::string>& notes, std::string name) : notes_(notes), name_(std::move(name)) {}
    Result<void> run() override {
      notes_.push_back(name_);
      return {};
    }
    Result<Stack> outputs() override { return Stack{}; }

   private:
    std::vector<std::string>& notes_;
    std::string name_;
  };

  FakeCalls calls(const std::string& side, int sets) {
    FakeCalls made;
    for (int set = 0; set < sets; ++set)
      made.push_back(std::make_unique<NotedCall>(notes_, side + std::to_string(set)));
    return made;
  }
  std::unique_ptr<Clock> clock(std::chrono::milliseconds wait = {}) {
    return enqueuedClock(
        {1e-3, 1e-3, 8},
        [this, wait]() -> Result<void> {
          notes_.emplace_back("finish");
          std::this_thread::sleep_for(wait);
          return {};
        },
        [this] { notes_.emplace_back("ended"); });
  }

  std::vector<std::string> notes_;
};

TEST_F(EnqueuedClock, CallsGoRoundTheRotationAndAreWaitedForTogether) {
  const auto some = calls("", 3);
  ASSERT_TRUE(clock()->sample(some, 1, 4));
  EXPECT_THAT(notes_, ElementsAre("1", "2", "0", "1", "finish", "ended"));
}

TEST_F(EnqueuedClock, WhatGoesOnAfterTheCallsIsWaitedForWithinTheSample) {
  const auto some = calls("", 2);
  const auto four = clock(std::chrono::milliseconds{20})->sample(some, 0, 4);
  ASSERT_TRUE(four);
  EXPECT_GE((four->seconds - four->host) * 4, 0.02);
}

TEST_F(EnqueuedClock, WhatCannotBeWaitedForIsAnError) {
  const auto some = calls("", 2);
  const auto failing = enqueuedClock(
      {1e-3, 1e-3, 8},
      []() -> Result<void> {
        return Error{Stage::time, "gone"};
      },
      [] {});
  EXPECT_FALSE(failing->sample(some, 0, 1));
}

TEST_F(EnqueuedClock, BothSidesMakeCallsAloneAfterwards) {
  const auto reference = calls("r", 4), candidate = calls("c", 4);
  const Sides sides{reference, candidate};
  const auto timed = clock();
  ASSERT_TRUE(timed->sample(sides, {false, 0}, 4));
  ASSERT_TRUE(timed->sample(sides, {true, 0}, 4));
  notes_.clear();
  // None of them takes long enough to be told anything of.
  ASSERT_TRUE(timed->others(sides, {1, 1}, 0));
  ASSERT_GE(notes_.size(), 8U);
  notes_.resize(8);
  EXPECT_THAT(notes_, ElementsAre("r0", "finish", "r1", "finish", "c0", "finish", "c1", "finish"));
}

}  // namespace
}  // namespace wb
