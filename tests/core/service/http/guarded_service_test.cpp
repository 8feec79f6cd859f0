// SPDX-License-Identifier: Apache-2.0
// Which jobs from outside are judged strictly.
#include "core/service/http/access/guarded_service.h"

#include <gtest/gtest.h>

#include "tests/core/service/fake_service.h"

namespace wb {
namespace {

class GuardedServiceTest : public testing::Test {
 protected:
  /// Whether such a job is judged strictly by these rules.
  bool isStrict(SubmissionRules rules, Stages stages, bool lines = false) {
    GuardedService guarded(service, std::move(rules));
    Submission submission;
    submission.job.stages = stages;
    submission.job.profile.lines = lines;
    const auto accepted = guarded.submit(std::move(submission));
    return service.submission(std::get<std::string>(accepted)).job.strict;
  }

  FakeService service;
  const Stages timed{Stage::check, Stage::time}, profiled{Stage::check, Stage::time, Stage::profile};
};

TEST_F(GuardedServiceTest, AStrictServiceJudgesStrictlyAndReadsCounters) {
  EXPECT_TRUE(isStrict({.strict = true}, timed));
  EXPECT_TRUE(isStrict({.strict = true}, profiled));
  EXPECT_TRUE(isStrict({.strict = true}, timed, /*lines=*/true)) << "nothing is profiled";
  EXPECT_FALSE(isStrict({}, profiled));
}

TEST_F(GuardedServiceTest, WhoAsksForHotLinesIsJudgedStrictlyOnlyWhereAllAre) {
  EXPECT_FALSE(isStrict({.strict = true}, profiled, /*lines=*/true));
  EXPECT_TRUE(isStrict({.strict = true, .strictAlways = true}, profiled, /*lines=*/true));
}

}  // namespace
}  // namespace wb
