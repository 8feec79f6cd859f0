// SPDX-License-Identifier: Apache-2.0
#include "core/service/cache_upkeep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

/// Duties that count and tell; a test says what comes of the preparations.
class CacheUpkeepTest : public testing::Test {
 protected:
  CacheDuties duties(std::function<Result<void>(const std::stop_token&)> prepare) {
    return {.prepare = std::move(prepare),
            .warmUp = [this] { warmedUpAt.push_back(trims); },
            .trim =
                [this] {
                  ++trims;
                  trims.notify_all();
                },
            .tell = [this](const std::string& text) { told.push_back(text); }};
  }
  void awaitTrims(int count) {
    for (int now = trims; now < count; now = trims) trims.wait(now);
  }

  std::atomic<int> trims = 0;
  /// Of the upkeep's thread; to be read when a later trim has been seen, or the upkeep is gone.
  std::vector<std::string> told;
  /// How many trims there had been at each warm-up.
  std::vector<int> warmedUpAt;
};

TEST_F(CacheUpkeepTest, PreparesBeforeAnybodyAsks) {
  std::promise<void> begun, mayEnd;
  CacheUpkeep upkeep(duties([&](const std::stop_token&) -> Result<void> {
    begun.set_value();
    mayEnd.get_future().wait();
    return {};
  }));
  begun.get_future().wait();
  EXPECT_EQ(upkeep.compilers(), "being prepared");
  mayEnd.set_value();
  awaitTrims(1);
  EXPECT_THAT(upkeep.compilers(), StartsWith("ready, after "));
  EXPECT_THAT(told, ElementsAre(StartsWith("the compilers of kernels are ready, after ")));
}

TEST_F(CacheUpkeepTest, SaysWhyNothingIsPrepared) {
  CacheUpkeep upkeep(duties([](const std::stop_token&) -> Result<void> {
    return Error{Stage::setup, "there is no torch\n"};
  }));
  awaitTrims(1);
  EXPECT_THAT(upkeep.compilers(), EndsWith("there is no torch"));
  EXPECT_THAT(told, ElementsAre(EndsWith("there is no torch")));
  // What needs no torch is warmed up all the same.
  EXPECT_THAT(warmedUpAt, ElementsAre(0));
}

TEST_F(CacheUpkeepTest, TrimsAgainAndAgainAndPreparesAnew) {
  std::vector<int> preparedAt;
  CacheDuties all = duties([&](const std::stop_token&) -> Result<void> {
    preparedAt.push_back(trims);
    return {};
  });
  all.betweenTrims = 1ms;
  all.trimsBetweenPreparations = 3;
  {
    CacheUpkeep upkeep(all);
    awaitTrims(7);
  }
  ASSERT_GE(preparedAt.size(), 3U);
  preparedAt.resize(3);
  EXPECT_THAT(preparedAt, ElementsAre(0, 3, 6));
  EXPECT_THAT(warmedUpAt, ElementsAre(0));
}

TEST_F(CacheUpkeepTest, EndsWhatIsUnderWay) {
  std::promise<void> begun;
  {
    CacheUpkeep upkeep(duties([&](const std::stop_token& stop) -> Result<void> {
      begun.set_value();
      std::promise<void> stopped;
      const std::stop_callback onStop(stop, [&] { stopped.set_value(); });
      stopped.get_future().wait();
      return Error{Stage::setup, "stopped"};
    }));
    begun.get_future().wait();
  }
  EXPECT_EQ(trims, 0);
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(warmedUpAt.empty());
}

}  // namespace
}  // namespace wb
