// SPDX-License-Identifier: Apache-2.0
#include "core/service/event_log.h"

#include <gmock/gmock.h>

#include "tests/core/model/steps.h"

namespace wb {
namespace {

TEST(EventLog, GivesWhatCameSinceANumber) {
  EventLog log(100);
  EXPECT_FALSE(log.hasFrom(0));
  for (int i = 0; i < 3; ++i) log.push(Log{"worker", std::to_string(i)});
  EXPECT_EQ(log.next(), 103U);
  EXPECT_TRUE(log.hasFrom(0));
  EXPECT_TRUE(log.hasFrom(102));
  EXPECT_FALSE(log.hasFrom(103));
  const EventPage page = log.from(101);
  EXPECT_EQ(page.first, 101U);
  EXPECT_EQ(page.next, 103U);
  ASSERT_EQ(page.events.size(), 2U);
  EXPECT_EQ(std::get<Log>(*page.events[0]).text, "1");
  EXPECT_EQ(log.from(0).first, 100U) << "the page says from where";
  EXPECT_EQ(log.from(103).events.size(), 0U);
  EXPECT_EQ(log.from(500).next, 500U);
}

TEST(EventLog, DropsTheOldestOverItsBounds) {
  EventLog log(0, 100'000);
  for (int i = 0; i < 50; ++i) log.push(Log{"stdout", std::string(10'000, 'x')});
  EXPECT_LE(log.bytes(), 100'000U);
  const EventPage page = log.from(0);
  EXPECT_EQ(page.next, 50U);
  EXPECT_GT(page.first, 35U);
  EXPECT_EQ(page.events.size(), page.next - page.first);
  log.push(Log{"stdout", std::string(1'000'000, 'x')});
  EXPECT_EQ(log.from(0).events.size(), 1U) << "the newest one stays, however large";

  EventLog many;
  for (std::size_t i = 0; i < EventLog::mostEvents + 5; ++i) many.push(StepStarted{});
  EXPECT_EQ(many.from(0).first, 5U);
}

TEST(EventLog, CountsWhatAnEventHolds) {
  Compiled compiled;
  const std::size_t bare = bytesOf(compiledStep(compiled));
  compiled.artifacts.resize(1);
  compiled.artifacts[0].assembly = std::string(50'000, 'x');
  const std::size_t full = bytesOf(compiledStep(compiled));
  EXPECT_GT(full, bare + 50'000);
  EXPECT_LT(full, bare + 51'000);
  EXPECT_GT(bytesOf(StageFailed{0, Error{Stage::check, std::string(9'000, 'x')}}), 9'000U);
}

}  // namespace
}  // namespace wb
