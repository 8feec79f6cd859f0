// SPDX-License-Identifier: Apache-2.0
// Cases that take a good part of the card's memory, whatever card it is: they are timed, and leave nothing
// behind.
#include <fmt/format.h>

#include "core/base/quantity.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/device/driver.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

/// relu in two launches, so that calls are timed as graphs.
constexpr const char* twoLaunches = R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) { return at::relu(x.mul(1)); }
)";

class GpuMemory : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(useDevice(0));
    std::size_t free = 0, total = 0;
    ASSERT_EQ(driver()->memGetInfo(&free, &total), CUDA_SUCCESS);
    floats_ = static_cast<std::int64_t>(total) / 4;
  }

  /// The workers of other tests are other processes.
  void TearDown() override {
    GpuTest::TearDown();
    giveBackMemory("cuda:0");
  }

  /// Vectors of such parts of the card's memory.
  Job jobOf(const std::vector<int>& parts) {
    std::vector<std::int64_t> elements;
    for (const int part : parts) elements.push_back(floats_ / part);
    Job job = reluJob({}, elements);
    job.stages.add(Stage::time);
    job.timing.capSeconds = 0.25;
    return job;
  }

  static void expectTimed(const Report& report) {
    const auto& rows = report.kernels[0]->cases;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const CaseRow& row = rows[i];
      ASSERT_TRUE(row.timing) << row.check.message << " " << row.notTimed;
      fmt::print("{}: {} by {}; {}\n", row.definition.args, formatSeconds(row.timing->candidate),
                 row.timing->clock, row.timing->note);
      EXPECT_EQ(row.check.verdict, Verdict::pass) << row.check.message;
    }
  }

 private:
  std::int64_t floats_ = 0;
};

TEST_F(GpuMemory, InputsOfATenthOfTheCardAreTimed) {
  expectTimed(run(jobOf({12, 10})));
}

TEST_F(GpuMemory, WhatGraphsTookIsThereForTheNextCase) {
  Job job = jobOf({32, 10, 32});
  job.kernels = {{"relu.cpp", twoLaunches, "torch_cpp", "relu", "", ""}};
  const Report report = run(job);
  expectTimed(report);
  EXPECT_EQ(report.kernels[0]->cases[0].timing->time, "step") << "the first was not timed as graphs";
}

}  // namespace
}  // namespace wb
