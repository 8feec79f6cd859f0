// SPDX-License-Identifier: Apache-2.0
// Honest kernels for problems in KernelBench's form, as a competent author writes them: every one is right,
// is timed, and nothing is said against it.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/jobs/job_request.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

class GpuHonest : public GpuTest, public testing::WithParamInterface<const char*> {
 protected:
  static Result<Job> jobOf(const fs::path& room) {
    JobRequest request;
    request.files = {(room / "solutions").string()};
    request.problem = (room / "problems").string();
    request.device = "cuda:0";
    request.timing.capSeconds = 0.25;
    return makeJob(request);
  }
};

TEST_P(GpuHonest, KernelsAreRightAndTimedAndNotFlagged) {
  const fs::path room = fs::path("tests/gpu/honest") / GetParam();
  const fs::path built = WB_SOURCE_DIR / room;
  // The tree may lie elsewhere than where it was built.
  const auto job = jobOf(fs::exists(built) ? built : fs::current_path() / room);
  ASSERT_TRUE(job) << job.error().text;
  const Report report = runInWorker(*job);
  EXPECT_FALSE(report.failure) << describe(*report.failure);
  EXPECT_GT(report.kernels.size(), 8U);
  for (const auto& kernel : report.kernels) {
    SCOPED_TRACE(kernel->source.path);
    printCases(*kernel);
    EXPECT_FALSE(kernel->failure) << describe(*kernel->failure);
    EXPECT_THAT(kernel->notDone, testing::IsEmpty());
    EXPECT_EQ(kernel->counts.failed, 0);
    EXPECT_GT(kernel->counts.passed, 0);
    EXPECT_GT(kernel->counts.timed, 0);
    for (std::size_t i = 0; i < kernel->cases.size(); ++i) {
      const CaseRow& row = kernel->cases[i];
      EXPECT_EQ(row.check.elsewhere, "") << row.definition.args;
      EXPECT_EQ(row.notTimed, "") << row.definition.args;
    }
    // This one alone changes what holds for the whole process, and is told so.
    const bool isNamed = kernel->source.path.ends_with("sets_benchmark_and_arch.py");
    for (const Diagnostic& each : kernel->diagnostics)
      EXPECT_TRUE(isNamed || each.severity == Severity::note) << each.message;
  }
}

INSTANTIATE_TEST_SUITE_P(OnAGpu, GpuHonest,
                         testing::Values("activations", "convolutions", "norms", "products", "reductions",
                                         "scans_and_losses", "styles"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace wb
