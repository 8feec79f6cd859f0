// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/warm_up_job.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace wb {
namespace {

using testing::ElementsAre;

const std::filesystem::path samples = WB_SOURCE_DIR "/resources/samples";

TEST(WarmUpJob, RunsAKernelOfEachLanguage) {
  const auto made = warmUpJob("cuda:0", {}, samples);
  ASSERT_TRUE(made) << made.error().text;
  const std::optional<Job>& job = *made;
  ASSERT_TRUE(job);
  std::set<std::string> languages;
  for (const KernelSource& kernel : job->kernels) languages.insert(kernel.language);
  EXPECT_THAT(languages, ElementsAre("python", "raw_cuda", "triton"));
  EXPECT_FALSE(job->cases.empty());
  EXPECT_TRUE(job->stages.has(Stage::profile));
}

TEST(WarmUpJob, IsJudgedAsTheServiceJudgesAll) {
  const auto made = warmUpJob("cuda:0", {.sandbox = true, .strict = true}, samples);
  ASSERT_TRUE(made) << made.error().text;
  const std::optional<Job>& job = *made;
  ASSERT_TRUE(job);
  EXPECT_TRUE(job->strict);
  EXPECT_TRUE(job->sandbox);
  EXPECT_FALSE(job->stages.has(Stage::profile));
}

TEST(WarmUpJob, IsNoneWithoutAGpuAndAnErrorWithoutSamples) {
  const auto none = warmUpJob("cpu", {}, samples);
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_FALSE(warmUpJob("cuda:0", {}, "/no/such/folder"));
}

}  // namespace
}  // namespace wb
