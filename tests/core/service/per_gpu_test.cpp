// SPDX-License-Identifier: Apache-2.0
// Several runs on one GPU at a time, over the fake worker.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

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

/// Three runs of each of two sources come at once, for two devices of which each has had one of them.
TEST_F(ServiceTest, StrictKernelsAreLeftToTheWorkerThatHasTheirProcess) {
  open({"cuda:0", "cuda:1"});
  const auto submission = [](const std::string& source) {
    Submission made = fakeSubmission("ada", source);
    made.job.strict = true;
    return made;
  };
  constexpr std::size_t each = 3;
  const std::vector<std::string> sources{"--delay=0.2", "--delay=0.21"};
  // The second one comes while the first is at work.
  const std::string first = submit(submission(sources[0]));
  waitUntilAtWork(first);
  const std::string second = submit(submission(sources[1]));
  const std::vector<std::string> had{end(first).device, end(second).device};
  EXPECT_NE(had[0], had[1]);
  std::vector<std::string> ids;
  for (const std::string& source : sources)
    for (std::size_t i = 0; i < each; ++i) ids.push_back(submit(submission(source)));
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(end(ids[i]).device, had[i / each]) << i;
}

TEST_F(ServiceTest, ManyStrictRunsOfOneKernelAreForAllWorkers) {
  open({"cuda:0", "cuda:1"});
  Submission submission = fakeSubmission("ada", "--delay=0.02");
  submission.job.strict = true;
  std::vector<std::string> ids;
  for (int i = 0; i < 30; ++i) ids.push_back(submit(submission));
  std::map<std::string, int> runs;
  for (const std::string& id : ids) ++runs[end(id).device];
  EXPECT_GT(runs["cuda:0"], 5);
  EXPECT_GT(runs["cuda:1"], 5);
}

TEST_F(ServiceTest, AStrictRunDoesNotWaitForEverForTheWorkerThatHadIt) {
  open({"cuda:0", "cuda:1"});
  Submission submission = endless();
  submission.job.strict = true;
  const std::vector<std::string> ids{submit(submission), submit(submission)};
  for (const std::string& id : ids) waitUntilAtWork(id);
  EXPECT_NE(service_->status(ids[0])->device, service_->status(ids[1])->device);
  for (const std::string& id : ids) service_->cancel(id, "enough");
  for (const std::string& id : ids) EXPECT_EQ(end(id).state, RunState::cancelled);
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
