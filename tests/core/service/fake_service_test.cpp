// SPDX-License-Identifier: Apache-2.0
// The service that other tests step by hand keeps what the interface promises.
#include "tests/core/service/fake_service.h"

#include <gmock/gmock.h>

#include "tests/core/model/steps.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

Submission relu(const std::string& client = "ada") {
  Submission submission;
  submission.job.kernels = {{"/home/ada/relu.cpp", "text", "torch_cpp", "relu"}};
  submission.client = client;
  return submission;
}

TEST(FakeService, StepsARunByHand) {
  FakeService service;
  const std::string id = std::get<std::string>(service.submit(relu()));
  EXPECT_EQ(id, fakeRunId(1));
  EXPECT_EQ(service.status(id)->title, "relu.cpp");
  EXPECT_EQ(service.status(id)->state, RunState::queued);

  service.start(id);
  EXPECT_EQ(service.devices()[0].runs.size(), 1U);
  service.say(id, JobStarted{});
  EXPECT_EQ(service.events(id, 0, 0ms).events.size(), 1U);
  EXPECT_FALSE(service.events(id, 0, 0ms).isLast);

  service.end(id);
  const EventPage page = service.events(id, 1, 0ms);
  EXPECT_EQ(page.first, 1U);
  EXPECT_EQ(page.next, 2U);
  EXPECT_TRUE(page.isLast);
  EXPECT_TRUE(is<Finished>(*page.events.at(0)));
  EXPECT_EQ(service.report(id)->outcome, Outcome::finished);
  EXPECT_EQ(service.counts().finished, 1U);
}

TEST(FakeService, EndsARunThatNobodyWaitsFor) {
  FakeService service;
  const std::string id = std::get<std::string>(service.submit(relu()));
  const auto status = service.waitFor(id, 10s, [] { return false; });
  EXPECT_EQ(status->state, RunState::cancelled);
  EXPECT_EQ(service.report(id)->outcome, Outcome::cancelled);
}

TEST(FakeService, AnswersFromWithinASubmission) {
  FakeService service;
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  const std::string id = std::get<std::string>(service.submit(relu()));
  EXPECT_EQ(service.waitFor(id, 0ms, {})->state, RunState::finished);
}

TEST(FakeService, KnowsAKeyAgainAndRefusesWhenTold) {
  FakeService service;
  Submission keyed = relu();
  keyed.idempotencyKey = "one";
  const std::string id = std::get<std::string>(service.submit(keyed));
  EXPECT_EQ(std::get<std::string>(service.submit(keyed)), id);
  keyed.client = "bob";
  EXPECT_NE(std::get<std::string>(service.submit(keyed)), id);
  service.refuseAll(Refusal{{Stage::job, "The queue is full."}, 3});
  EXPECT_EQ(std::get<Refusal>(service.submit(relu())).retryAfterSeconds, 3);
}

}  // namespace
}  // namespace wb
