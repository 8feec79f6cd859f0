// SPDX-License-Identifier: Apache-2.0
#include "core/model/json/event_bounds.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "tests/core/model/samples.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr std::size_t manyBytes = std::size_t{40} << 20;

TEST(EventBounds, WhatIsShortStaysAsItIs) {
  for (const Event& event : samples::events()) {
    Event same = event;
    boundTexts(same);
    EXPECT_EQ(same, event) << event.index();
  }
}

TEST(EventBounds, EveryTextOfTheUsersIsCut) {
  const std::string big(manyBytes, 'x');
  CaseCheck check{Verdict::threw, big, ErrorFigures{}, 0, 0, 0};
  check.errorType = check.trace = check.trivial = check.elsewhere = big;
  check.errors->firstBadIndex = check.errors->expected = check.errors->actual = check.errors->cluster = big;
  Error error{Stage::compile, big, big};
  error.type = error.trace = big;
  Compiled compiled;
  compiled.note = big;
  check.ran = {{big, big, 1, 1}};
  CaseTiming timing;
  timing.note = big;
  timing.launched = {{"ATen", big, 1, 1}};
  SideProfile part;
  part.notes = {big, big};
  std::vector<Event> events{Diagnosed{0, {Severity::error, big, big, {}, "g++"}},
                            compiledStep(compiled),
                            StepDone{Stage::check, 0, 0, check},
                            StepDone{Stage::time, 0, 0, timing},
                            StepDone{Stage::time, 0, 0, NoResult{big}},
                            StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, part, false}},
                            StepDone{Stage::profile, 0, 0, NoResult{big}},
                            StageFailed{0, error}};
  for (Event& event : events) {
    boundTexts(event);
    const std::string text = dump(toJson(event));
    EXPECT_LT(text.size(), std::size_t{200} << 10) << event.index();
    EXPECT_THAT(text, HasSubstr("were cut out here"));
  }
  EXPECT_EQ(resultIn<CaseCheck>(events[2])->verdict, Verdict::threw);
}

TEST(EventBounds, WithoutItsBulkAnEventStillHasItsNews) {
  Compiled compiled;
  compiled.cases = {samples::makeCase(1)};
  compiled.artifacts.resize(1);
  compiled.artifacts[0].assembly = std::string(manyBytes, 'p');
  const Event light = withoutBulk(compiledStep(compiled, 2));
  EXPECT_EQ(std::get<StepDone>(light).kernel, 2U);
  const Compiled& lighter = *resultIn<Compiled>(light);
  EXPECT_EQ(lighter.cases, compiled.cases);
  EXPECT_EQ(lighter.artifacts[0].assembly, "");
  const auto notTimed = std::get<StepDone>(withoutBulk(StepDone{Stage::time, 1, 7, CaseTiming{}}));
  EXPECT_EQ(notTimed.index, 7U);
  EXPECT_TRUE(std::holds_alternative<NoResult>(notTimed.result));
  const Event less = withoutBulk(StepDone{Stage::profile, 1, 7, ProfilePart{Side::reference, {}, true}});
  const ProfilePart& part = *resultIn<ProfilePart>(less);
  EXPECT_TRUE(part.last);
  EXPECT_FALSE(part.part.notes.empty());
  for (const Event& event : samples::events()) {
    const Event lightest = withoutBulk(event);
    EXPECT_LT(dump(toJson(lightest)).size(), 5000U);
  }
}

}  // namespace
}  // namespace wb
