// SPDX-License-Identifier: Apache-2.0
#include "core/model/stages.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "core/model/event.h"
#include "core/model/json/json_fields.h"
#include "core/model/report.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(StagesTest, EveryRowSaysAllThatIsAskedOfIt) {
  std::set<std::string_view> words;
  for (const StageRow& row : stageRows()) {
    EXPECT_EQ(&stageRow(row.stage), &row);
    for (const std::string_view word : {name(row.stage), row.doing}) {
      EXPECT_FALSE(word.empty());
      EXPECT_TRUE(words.insert(word).second) << word << " is said of two stages";
    }
    EXPECT_FALSE(row.done.empty());
    EXPECT_FALSE(row.between.empty());
    EXPECT_GT(row.weight, 0);
    EXPECT_GT(Limits().*row.seconds, 0);
    EXPECT_GE(Limits().*row.firstSeconds, Limits().*row.seconds);
  }
  EXPECT_EQ(stageRows().front().stage, Stage::compile);
}

TEST(StagesTest, TheReportKeepsWhatAStageOfAWholeKernelComesTo) {
  std::set<std::string_view> kept;
  auto visit = [&](std::string_view key, const auto& /*member*/) { kept.insert(key); };
  const KernelResults none;
  fields(visit, none);
  std::set<std::string_view> results;
  for (const StageRow& row : stageRows())
    if (row.scope == Scope::perKernel && row.stage != Stage::compile) {
      results.insert(row.results[0]);
      EXPECT_NE(row.loss, LossMeans::verdict) << name(row.stage) << ": only a case has a verdict";
    }
  EXPECT_EQ(kept, results);
}

TEST(StagesTest, ASetHasWhatItWasGivenAndCompileAlways) {
  const Stages none;
  EXPECT_THAT(none.inOrder(), ElementsAre(Stage::compile));
  Stages some{Stage::profile, Stage::check};
  EXPECT_THAT(some.inOrder(), ElementsAre(Stage::compile, Stage::check, Stage::profile));
  EXPECT_EQ(some, (Stages{Stage::check, Stage::profile}));
  EXPECT_FALSE(some.has(Stage::time));
  some.add(Stage::time).remove(Stage::profile).remove(Stage::compile);
  EXPECT_EQ(text(some), "compile, check, time");
}

TEST(StagesTest, ThePlainWordsAreParsed) {
  EXPECT_EQ(*parseStages("compile,check,time"), (Stages{Stage::check, Stage::time}));
  EXPECT_EQ(*parseStages(" profile , check "), (Stages{Stage::check, Stage::profile}));
  EXPECT_EQ(*parseStages("compile"), Stages());
  for (const Stages& stages :
       {Stages{}, Stages{Stage::check}, Stages{Stage::check, Stage::time, Stage::profile}})
    EXPECT_EQ(*parseStages(text(stages)), stages);
  const auto unknown = parseStages("compile,chekc");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(describe(unknown.error()), HasSubstr("there is no stage 'chekc'"));
  EXPECT_THAT(describe(unknown.error()), HasSubstr("compile, check, sanitize, time, profile"));
  EXPECT_FALSE(parseStages("setup")) << "no job can ask for it";
  const auto alone = parseStages("compile,time");
  ASSERT_FALSE(alone);
  EXPECT_THAT(describe(alone.error()), HasSubstr("time needs check (a wrong kernel's time means nothing"));
}

TEST(StagesTest, LimitsComeFromTheJob) {
  Job job;
  job.limits = {.compileSeconds = 1, .caseSeconds = 2, .firstCallSeconds = 3, .profileSeconds = 4};
  job.timing.capSeconds = 10;
  EXPECT_EQ(stepSeconds(job, Stage::compile), 1);
  EXPECT_EQ(stepSeconds(job, Stage::check), 2);
  EXPECT_EQ(stepSeconds(job, Stage::check, true), 3);
  EXPECT_EQ(stepSeconds(job, Stage::profile), 4);
  EXPECT_EQ(secondsOnTop(job, Stage::check), 0);
  EXPECT_EQ(secondsOnTop(job, Stage::time), 30);
}

TEST(StagesTest, UnderTheSanitizerNothingIsTimedAndACaseHasTwentyTimesItsLimit) {
  Job job;
  job.stages.add(Stage::profile).add(Stage::sanitize);
  EXPECT_EQ(job.stages, (Stages{Stage::check, Stage::sanitize}));
  EXPECT_FALSE(job.stages.add(Stage::time).has(Stage::time)) << "whatever comes first";
  EXPECT_EQ(stepSeconds(job, Stage::check), 600);
  EXPECT_EQ(stepSeconds(job, Stage::check, true), 6000);
  EXPECT_EQ(stepSeconds(job, Stage::compile), 120) << "compilers do not run under it";
  job.stages.remove(Stage::sanitize);
  EXPECT_EQ(stepSeconds(job, Stage::check), 30);
}

TEST(StagesTest, AStepGivesWhatItsRowSays) {
  EXPECT_TRUE(canGive(Stage::check, CaseCheck{}));
  EXPECT_TRUE(canGive(Stage::time, CaseCheck{})) << "a case may turn out wrong while it is timed";
  EXPECT_TRUE(canGive(Stage::time, NoResult{}));
  EXPECT_FALSE(canGive(Stage::check, CaseTiming{}));
  EXPECT_FALSE(canGive(Stage::profile, CaseCheck{}));
  EXPECT_FALSE(canGive(Stage::check, NoResult{})) << "each case has a verdict";
  EXPECT_FALSE(canGive(Stage::time, Compiled{}));
}

TEST(StagesTest, WhatAStageDoesNotGiveIsALineOfTheLog) {
  Job job;
  job.kernels.resize(1);
  Report report = startReport(job);
  Compiled compiled;
  compiled.cases.resize(1);
  fold(report, compiledStep(compiled));
  const Report before = report;
  fold(report, StepDone{Stage::check, 0, 0, CaseTiming{}});
  fold(report, StepDone{Stage::check, 0, std::nullopt, CaseCheck{}});
  fold(report, StepDone{Stage::compile, 0, 0, compiled});
  EXPECT_EQ(report.kernels, before.kernels);
  ASSERT_EQ(report.log.size(), 3U);
  EXPECT_THAT(report.log[0].text, HasSubstr("its stage does not come to that"));
  EXPECT_THAT(report.log[1].text, HasSubstr("it names no case"));
  EXPECT_THAT(report.log[2].text, HasSubstr("it is about no case"));
}

}  // namespace
}  // namespace wb
