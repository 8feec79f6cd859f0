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
  std::set<std::string> languages;
  for (const std::string& sample : warmUpSamples({.python = true})) {
    const auto made = warmUpJob("cuda:0", {}, samples / sample);
    ASSERT_TRUE(made) << made.error().text;
    const std::optional<Job>& job = *made;
    ASSERT_TRUE(job);
    for (const KernelSource& kernel : job->kernels) {
      languages.insert(kernel.language);
      EXPECT_EQ(kernel.path, sample) << "as what comes over HTTP";
    }
    EXPECT_TRUE(job->stages.has(Stage::profile));
  }
  EXPECT_THAT(languages, ElementsAre("python", "raw_cuda", "triton"));
}

TEST(WarmUpJob, WithoutPythonItIsWhatNeedsNone) {
  EXPECT_THAT(warmUpSamples({}), ElementsAre("relu.cu"));
}

TEST(WarmUpJob, IsJudgedAsTheServiceJudgesAll) {
  const auto made = warmUpJob("cuda:0", {.sandbox = true, .strict = true}, samples / "relu.cu");
  ASSERT_TRUE(made) << made.error().text;
  const std::optional<Job>& job = *made;
  ASSERT_TRUE(job);
  EXPECT_TRUE(job->strict);
  EXPECT_TRUE(job->sandbox);
  EXPECT_TRUE(job->stages.has(Stage::profile));
}

TEST(WarmUpJob, IsNoneWithoutAGpuAndAnErrorWithoutSamples) {
  const auto none = warmUpJob("cpu", {}, samples / "relu.cu");
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_FALSE(warmUpJob("cuda:0", {}, "/no/such/folder/relu.cu"));
}

}  // namespace
}  // namespace wb
