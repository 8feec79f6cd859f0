// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "core/jobs/job_request.h"
#include "core/runner/sanitizer/sanitizer.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class Sanitize : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("relu.cpp",
          "#include <torch/extension.h>\n// fake: --cases=3 --mismatch=none\n"
          "at::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); }\n");
  }
};

TEST_F(Sanitize, AnUnknownToolIsNamedBeforeAnythingRuns) {
  const Captured result = run({"run", "relu.cpp", "--device", "cpu", "--sanitize", "leakcheck"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("--sanitize: compute-sanitizer has no tool leakcheck"));
}

TEST_F(Sanitize, ACpuIsNotWatched) {
  const Captured result = run({"run", "relu.cpp", "--device", "cpu", "--sanitize", "memcheck"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("this run is on cpu"));
}

TEST_F(Sanitize, TheJobIsNotTimed) {
  JobRequest request;
  request.files = {(folder_ / "relu.cpp").string()};
  request.sanitizer = "initcheck";
  auto job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->sanitizer, "initcheck");
  EXPECT_TRUE(job->stages.has(Stage::check));
  EXPECT_FALSE(job->stages.has(Stage::time));
}

}  // namespace
}  // namespace wb
