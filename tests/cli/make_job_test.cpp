// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/options/job_options.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/output/terminal.h"

namespace wb {
namespace {

using testing::HasSubstr;

Result<Job> made(const JobOptions& options) {
  WB_TRY(const auto request, requestOf(options));
  return makeJob(request);
}

JobOptions atenRelu() {
  JobOptions options;
  options.request.op = "relu";
  return options;
}

TEST(MakeJob, WithoutAFileAnOperatorRunsAgainstItself) {
  const auto job = made(atenRelu());
  ASSERT_TRUE(job) << describe(job.error());
  ASSERT_EQ(job->kernels.size(), 1U);
  EXPECT_EQ(job->kernels[0].language, "aten");
  EXPECT_EQ(job->kernels[0].op, "relu");
  EXPECT_FALSE(job->cases.empty());
}

TEST(MakeJob, AFilterAloneRunsEachOperatorItTakes) {
  JobOptions options;
  options.ops = "relu,mm";
  const auto job = made(options);
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->kernels.size(), 2U);
}

TEST(MakeJob, NothingToRunIsAnError) {
  const auto job = made(JobOptions{});
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().hint, HasSubstr("name operators"));
  EXPECT_THAT(withOptions(job.error()).hint, HasSubstr("name operators with --op NAME or --ops '*'"));
}

TEST(MakeJob, ReadsTolerances) {
  JobOptions options = atenRelu();
  options.tolerance = "1e-3, 2e-5";
  auto job = made(options);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->tolerance.preset, "given");
  EXPECT_DOUBLE_EQ(job->tolerance.rtol, 1e-3);
  EXPECT_DOUBLE_EQ(job->tolerance.atol, 2e-5);
  options.tolerance = "strict";
  EXPECT_EQ(made(options)->tolerance.preset, "strict");
  for (const char* bad : {"tight", "1e-3", "1e-3,", "-1,0", "nan,0", "1,2,3"}) {
    options.tolerance = bad;
    EXPECT_FALSE(made(options)) << bad;
  }
}

TEST(MakeJob, ProfilingIsAStageWithAPlan) {
  JobOptions options = atenRelu();
  EXPECT_FALSE(made(options)->stages.has(Stage::profile));
  options.profile.asked = true;
  options.profile.sections = "memory, stalls";
  options.profile.cases = {3};
  options.profile.noLines = true;
  const auto job = made(options);
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_TRUE(job->stages.has(Stage::profile));
  EXPECT_EQ(job->profile.sections, (std::vector<std::string>{"memory", "stalls"}));
  EXPECT_EQ(job->profile.indices, std::vector<std::uint32_t>{3});
  EXPECT_FALSE(job->profile.lines);
  EXPECT_TRUE(job->profile.timeline);
  options.profile = {};
  options.stages = "compile,check,profile";
  EXPECT_TRUE(made(options)->stages.has(Stage::profile));
}

TEST(MakeJob, AnUnknownSectionSuggestsTheNearest) {
  JobOptions options = atenRelu();
  options.profile.asked = true;
  options.profile.sections = "memmory";
  const auto job = made(options);
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().hint, HasSubstr("memory"));
  options.profile.sections = "none";
  EXPECT_TRUE(made(options)->profile.sections.empty());
  options.profile.sections = "none,memory";
  EXPECT_FALSE(made(options));
}

TEST(MakeJob, ATraceNeedsATimeline) {
  JobOptions options = atenRelu();
  options.profile.trace = "out.json";
  EXPECT_FALSE(made(options)) << "profiling was not asked for";
  options.profile.asked = true;
  EXPECT_TRUE(made(options));
  options.profile.noTimeline = true;
  EXPECT_FALSE(made(options));
}

TEST(MakeJob, ReadsStages) {
  JobOptions options = atenRelu();
  options.stages = "compile";
  auto job = made(options);
  ASSERT_TRUE(job);
  EXPECT_FALSE(job->stages.has(Stage::check));
  EXPECT_FALSE(job->stages.has(Stage::time));
  options.stages = "compile,time";
  EXPECT_FALSE(made(options));
  options.stages = "compile,chekc";
  EXPECT_FALSE(made(options));
}

TEST(MakeJob, EffortSetsTheCap) {
  JobOptions options = atenRelu();
  EXPECT_DOUBLE_EQ(made(options)->timing.capSeconds, 1);
  options.effort.quick = true;
  EXPECT_DOUBLE_EQ(made(options)->timing.capSeconds, 0.25);
  options.effort.thorough = true;
  EXPECT_FALSE(made(options));
  options.effort.quick = false;
  EXPECT_DOUBLE_EQ(made(options)->timing.capSeconds, 10);
}

TEST(Terminal, FitsTextByCharacters) {
  EXPECT_EQ(fit("relu", 4), "relu");
  EXPECT_EQ(fit("sigmoid", 4), "sig…");
  EXPECT_EQ(fit("3 × 4 µs", 5), "3 × …");
  EXPECT_EQ(fit("", 3), "");
}

}  // namespace
}  // namespace wb
