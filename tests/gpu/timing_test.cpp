// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "core/base/quantity.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

constexpr const char* kReluBody = "if (i < n) y[i] = x[i] < 0 ? 0 : x[i];";

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/// Prints what timing gives and costs. What is asserted is only that there is a result and that it is one.
class GpuTiming : public GpuTest {
 protected:
  void table(const std::string& title, const std::string& source, const TimingPlan& plan) {
    fmt::print("{}, cap {}\n  {:>10}  {:>9}  {:>9}  {:>6}  [{:>6}, {:>6}]  {:<10}  {:>6}  {:>7}  clock\n",
               title, formatSeconds(plan.capSeconds), "elements", "reference", "candidate", "ratio", "low",
               "high", "verdict", "blocks", "cost ms");
    for (std::int64_t elements :
         {std::int64_t{25}, std::int64_t{65536}, std::int64_t{4} << 20, std::int64_t{64} << 20}) {
      Job job = reluJob(source, {elements});
      job.stages.time = true;
      job.timing = plan;
      const auto start = std::chrono::steady_clock::now();
      const Report report = run(job);
      const double cost = milliseconds(start);
      const CaseRow& row = report.kernels[0]->cases[0];
      if (!row.timing) {
        ADD_FAILURE() << elements << ": " << row.notTimed << " " << row.check.message;
        continue;
      }
      const CaseTiming& timing = *row.timing;
      fmt::print("  {:>10}  {:>9}  {:>9}  {:>6.4f}  [{:>6.4f}, {:>6.4f}]  {:<10}  {:>6}  {:>7.1f}  {} {}\n",
                 elements, formatSeconds(timing.reference), formatSeconds(timing.candidate),
                 timing.speedup.ratio, timing.speedup.low, timing.speedup.high, name(timing.speedup.pace),
                 timing.blocks.size(), cost, timing.clock, timing.note);
      EXPECT_GT(timing.reference, 0);
      EXPECT_LE(timing.speedup.low, timing.speedup.ratio);
      EXPECT_GE(timing.speedup.high, timing.speedup.ratio);
    }
  }
};

TEST_F(GpuTiming, AtenAgainstItself) {
  TimingPlan quick;
  quick.capSeconds = 0.25;
  table("ATen's relu against itself", {}, quick);
  table("ATen's relu against itself", {}, {});
}

TEST_F(GpuTiming, RawCudaAgainstAten) {
  table("raw CUDA relu against ATen's", reluWith(kReluBody), {});
}

TEST_F(GpuTiming, LatencyOfOneCaseAndOfTheSuite) {
  run(reluJob({}, {25}));  // a warm engine
  TimingPlan quick;
  quick.capSeconds = 0.25;
  for (int round = 0; round < 3; ++round) {
    Job job = reluJob(reluWith(kReluBody + fmt::format("  // round {}", round)), {65536});
    job.stages.time = true;
    job.timing = quick;
    const auto start = std::chrono::steady_clock::now();
    const Report report = run(job);
    fmt::print("one case of relu, compiled, checked and timed: {:.0f} ms (compile {:.0f} ms)\n",
               milliseconds(start), report.kernels[0]->compiled->seconds * 1e3);
    EXPECT_EQ(report.kernels[0]->counts.passed, 1);
  }
  const char* const source =
      "/* warpbench\noperator = \"aten::relu\"\n*/\ntemplate <typename T>\n__global__ void relu(const T* x, "
      "T* y, int64_t n) {\n"
      "  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;\n  if (i < n) y[i] = x[i] "
      "< T(0) ? T(0) : x[i];\n}\n";
  for (bool timed : {false, true}) {
    for (int round = 0; round < 2; ++round) {
      Job job = smokeJob(source + fmt::format("// {} {}\n", timed, round));
      job.stages.time = timed;
      job.timing = quick;
      const auto start = std::chrono::steady_clock::now();
      const Report report = run(job);
      const Counts& counts = report.kernels[0]->counts;
      fmt::print("relu's smoke suite, {} cases, {}: {:.0f} ms (compile {:.0f} ms, {} passed, {} timed)\n",
                 counts.total, timed ? "compiled, checked and timed" : "compiled and checked",
                 milliseconds(start), report.kernels[0]->compiled->seconds * 1e3, counts.passed,
                 counts.timed);
      EXPECT_EQ(counts.failed, 0);
    }
  }
}

}  // namespace
}  // namespace wb
