// SPDX-License-Identifier: Apache-2.0
// Several runs on one GPU at a time, over the fake worker.
#include <gmock/gmock.h>

#include <string>
#include <thread>

#include "core/service/service.h"
#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using testing::SizeIs;
using testing::UnorderedElementsAre;

Submission endlessOn(const std::string& device) {
  Submission submission = endless();
  submission.job.device = device;
  return submission;
}

TEST_F(ServiceTest, AGpuHasAsManyRunsAtATimeAsItMay) {
  options_.runsPerGpu = 2;
  open({"cuda:0", "cpu"});
  const std::string first = submit(endlessOn("cuda:0")), second = submit(endlessOn("cuda:0"));
  const std::string third = submit(endlessOn("cuda:0"));
  waitUntilAtWork(first);
  waitUntilAtWork(second);
  EXPECT_EQ(service_->status(third)->state, RunState::queued);
  const std::vector<DeviceState> devices = service_->devices();
  ASSERT_THAT(devices, SizeIs(2));
  EXPECT_EQ(devices[0].device, "cuda:0");
  EXPECT_THAT(devices[0].runs, UnorderedElementsAre(first, second));
  EXPECT_EQ(devices[0].worker.state, WorkerStatus::State::busy);
  EXPECT_THAT(devices[1].runs, SizeIs(0));
  EXPECT_EQ(service_->counts().running, 2U);
  service_->cancel(first, "enough");
  waitUntilAtWork(third);
  for (const std::string& id : {second, third}) service_->cancel(id, "enough");
  for (const std::string& id : {first, second, third}) EXPECT_EQ(end(id).state, RunState::cancelled);
}

TEST_F(ServiceTest, TheCpuHasOneRunAtATime) {
  options_.runsPerGpu = 2;
  open({"cpu"});
  const std::string first = submit(endlessOn("cpu")), second = submit(endlessOn("cpu"));
  waitUntilAtWork(first);
  EXPECT_EQ(service_->status(second)->state, RunState::queued);
  for (const std::string& id : {first, second}) service_->cancel(id, "enough");
  EXPECT_EQ(end(second).state, RunState::cancelled);
}

TEST_F(ServiceTest, ASourceComesBackToTheWorkerThatHadIt) {
  open({"cuda:0", "cuda:1"});
  const std::vector<std::string> sources{"--delay=0.001", "--delay=0.002", "--delay=0.003"};
  const auto deviceOf = [&](const std::string& source) {
    return end(submit(fakeSubmission("ada", source))).device;
  };
  std::vector<std::string> first;
  for (const std::string& source : sources) first.push_back(deviceOf(source));
  for (int turn = 0; turn < 10; ++turn)
    for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(deviceOf(sources[i]), first[i]) << sources[i];
}

TEST_F(ServiceTest, AnIdleWorkerTakesASourceThatABusyOneHad) {
  open({"cuda:0", "cuda:1"});
  std::vector<std::string> ids{submit(endless()), submit(endless())};
  for (const std::string& id : ids) waitUntilAtWork(id);
  EXPECT_NE(service_->status(ids[0])->device, service_->status(ids[1])->device);
  for (const std::string& id : ids) service_->cancel(id, "enough");
  for (const std::string& id : ids) EXPECT_EQ(end(id).state, RunState::cancelled);
}

}  // namespace
}  // namespace wb
