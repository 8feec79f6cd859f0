// SPDX-License-Identifier: Apache-2.0
// What a device runs before the first job comes, over the fake worker.
#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/service/service.h"
#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST_F(ServiceTest, AWarmUpRunsToItsEndAndNothingTellsOfIt) {
  open();
  std::vector<std::string> asked;
  service_->warmUp([&](const std::string& device) {
    asked.push_back(device);
    return std::optional(fakeSubmission().job);
  });
  EXPECT_THAT(asked, ElementsAre("cpu"));
  EXPECT_THAT(service_->runs(10), SizeIs(0));
  EXPECT_EQ(service_->counts().accepted, 0U);
  service_->warmUp([](const std::string&) { return std::nullopt; });
}

TEST_F(ServiceTest, ARunComesAfterTheWarmUpOfItsDevice) {
  open();
  std::thread warming(
      [&] { service_->warmUp([](const std::string&) { return fakeSubmission("ada", "--delay=0.1").job; }); });
  while (service_->devices().front().worker.state != WorkerStatus::State::busy) std::this_thread::yield();
  EXPECT_EQ(end(submit(fakeSubmission())).state, RunState::finished);
  warming.join();
  EXPECT_EQ(service_->devices().front().worker.restarts, 0);
}

TEST_F(ServiceTest, ADeviceThatHasWorkIsNotWarmedUp) {
  open();
  const std::string id = submit(endless());
  while (service_->devices().front().worker.state != WorkerStatus::State::busy) std::this_thread::yield();
  service_->warmUp([](const std::string&) { return endless().job; });
  service_->cancel(id, "no longer wanted");
  EXPECT_EQ(end(id).state, RunState::cancelled);
}

TEST_F(ServiceTest, ToDrainEndsAWarmUp) {
  open();
  std::thread warming([&] { service_->warmUp([](const std::string&) { return endless().job; }); });
  while (service_->devices().front().worker.state != WorkerStatus::State::busy) std::this_thread::yield();
  service_->drain(patience);
  warming.join();
}

}  // namespace
}  // namespace wb
