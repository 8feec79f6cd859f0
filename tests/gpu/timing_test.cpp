// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>

#include "core/base/quantity.h"
#include "core/engine/ceilings.h"
#include "core/engine/cuda/driver.h"
#include "core/engine/cupti/activity.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr const char* kReluBody = "if (i < n) y[i] = x[i] < 0 ? 0 : x[i];";

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

void print(const CaseTiming& timing) {
  fmt::print("    hot {} | {}, host {} | {}, activity {} | {}, warm-up {} blocks, {} dropped, floor {} {}\n",
             formatSeconds(timing.kernelHot.reference), formatSeconds(timing.kernelHot.candidate),
             formatSeconds(timing.host.reference), formatSeconds(timing.host.candidate),
             formatSeconds(timing.kernel.reference), formatSeconds(timing.kernel.candidate), timing.warmups,
             timing.dropped, formatSeconds(timing.floor), timing.floorBy);
  fmt::print("    ran {}; {}; noise {}; ", fmt::join(timing.ran, ", "), timing.math,
             formatPercent(timing.noise));
  if (timing.conditions.empty()) {
    fmt::print("no conditions\n");
    return;
  }
  const Conditions& last = timing.conditions.back();
  fmt::print("SM {:.0f} MHz, memory {:.0f} MHz, {:.0f} W, {:.0f} C, throttle '{}'\n", last.smHertz / 1e6,
             last.memoryHertz / 1e6, last.watts, last.celsius, last.throttle);
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
      print(timing);
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

/// The null test of measuring.md, some repeats of it.
TEST_F(GpuTiming, NullTest) {
  constexpr int repeats = 20;
  fmt::print("null test, {} repeats\n  {:>10}  {:>8}  {:>7}  {:>10}\n", repeats, "elements", "worst",
             "covers", "ms a case");
  run(reluJob({}, {25}));
  for (std::int64_t elements :
       {std::int64_t{25}, std::int64_t{65536}, std::int64_t{4} << 20, std::int64_t{64} << 20}) {
    double worst = 0, cost = 0;
    int covers = 0, timed = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Job job = reluJob({}, {elements});
      job.stages.time = true;
      job.stages.check = false;
      job.seed = static_cast<std::uint64_t>(repeat);
      const auto start = std::chrono::steady_clock::now();
      const Report report = run(job);
      cost += milliseconds(start);
      const auto& timing = report.kernels[0]->cases[0].timing;
      if (!timing) continue;
      ++timed;
      worst = std::max(worst, std::abs(timing->speedup.ratio - 1));
      covers += timing->speedup.low <= 1 && 1 <= timing->speedup.high ? 1 : 0;
    }
    EXPECT_EQ(timed, repeats);
    fmt::print("  {:>10}  {:>8}  {:>4} of {}  {:>7.1f}\n", elements, formatPercent(worst), covers, timed,
               cost / repeats);
  }
}

TEST_F(GpuTiming, ShortCallsAreTimedInAGraphAndLongOnesCold) {
  Job job = reluJob(reluWith(kReluBody), {25, std::int64_t{64} << 20});
  job.stages.time = true;
  const Report report = run(job);
  const KernelReport& kernel = *report.kernels[0];
  ASSERT_TRUE(kernel.cases[0].timing) << kernel.cases[0].notTimed;
  ASSERT_TRUE(kernel.cases[1].timing) << kernel.cases[1].notTimed;
  const CaseTiming &brief = *kernel.cases[0].timing, &lengthy = *kernel.cases[1].timing;
  EXPECT_THAT(brief.clock, HasSubstr("CUDA graph, hot"));
  EXPECT_LT(brief.candidate, 3e-6);
  EXPECT_EQ(lengthy.clock, "device events, cold L2");
  EXPECT_GT(lengthy.kernelHot.candidate, 0);
  EXPECT_GT(lengthy.host.candidate, 0);
  EXPECT_EQ(lengthy.ran, std::vector<std::string>{"relu"});
  // One call against a median: selftest has the median of many.
  EXPECT_NEAR(lengthy.kernel.reference / lengthy.reference, 1, 0.08);
  EXPECT_NEAR(lengthy.kernel.candidate / lengthy.candidate, 1, 0.08);
  EXPECT_THAT(lengthy.math, HasSubstr("TF32"));
}

std::string extension(const std::string& launch) {
  return "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n"
         "__global__ void mine(const float* x, float* y, int n) {\n  int i = blockIdx.x * blockDim.x + "
         "threadIdx.x;\n  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];\n}\nat::Tensor relu(const at::Tensor& self) "
         "{\n"
         "  auto y = at::empty_like(self);\n  const int n = self.numel();\n  " +
         launch + "\n  return y;\n}\n";
}

Job extensionJob(Job job, const std::string& launch) {
  job.kernels = {{"mine.cu", extension(launch), "torch_cuda", "aten::relu", "", ""}};
  job.stages.time = true;
  return job;
}

TEST_F(GpuTiming, AKernelOnTheCurrentStreamIsTimedInAGraph) {
  const Report report = run(
      extensionJob(reluJob({}, {1000}),
                   "mine<<<(n + 255) / 256, 256, 0, "
                   "at::cuda::getCurrentCUDAStream()>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);"));
  printCases(*report.kernels[0]);
  const CaseRow& row = report.kernels[0]->cases[0];
  ASSERT_TRUE(row.timing) << row.notTimed << row.check.message;
  print(*row.timing);
  EXPECT_THAT(row.timing->clock, HasSubstr("CUDA graph"));
}

TEST_F(GpuTiming, AKernelOnTheLegacyStreamIsTimedByEventsAndTheNoteSaysWhy) {
  const Report report =
      run(extensionJob(reluJob({}, {1000}),
                       "mine<<<(n + 255) / 256, 256, 0, cudaStreamLegacy>>>(self.data_ptr<float>(), "
                       "y.data_ptr<float>(), n);"));
  printCases(*report.kernels[0]);
  const CaseRow& row = report.kernels[0]->cases[0];
  ASSERT_TRUE(row.timing) << row.notTimed << row.check.message;
  fmt::print("  {} ({})\n", row.timing->clock, row.timing->note);
  print(*row.timing);
  EXPECT_THAT(row.timing->clock, HasSubstr("device events, hot"));
  EXPECT_THAT(row.timing->note, HasSubstr("not in a CUDA graph: candidate"));
  // What failed to be recorded leaves nothing behind.
  const Report next = run(
      extensionJob(reluJob({}, {1000}),
                   "mine<<<(n + 255) / 256, 256, 0, "
                   "at::cuda::getCurrentCUDAStream()>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);"));
  ASSERT_TRUE(next.kernels[0]->cases[0].timing) << next.kernels[0]->cases[0].notTimed;
  EXPECT_THAT(next.kernels[0]->cases[0].timing->clock, HasSubstr("CUDA graph"));
}

TEST_F(GpuTiming, AKernelOnAnotherStreamIsNamedAndNotTimed) {
  // Both short and long; the stream is not a blocking one and nothing waits for it.
  const char* launch =
      "static cudaStream_t other = [] { cudaStream_t s; cudaStreamCreateWithFlags(&s, "
      "cudaStreamNonBlocking); return s; }();\n"
      "  mine<<<(n + 255) / 256, 256, 0, other>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);";
  for (std::int64_t elements : {std::int64_t{1000}, std::int64_t{16} << 20}) {
    const Report report = run(extensionJob(reluJob({}, {elements}), launch));
    printCases(*report.kernels[0]);
    const CaseRow& row = report.kernels[0]->cases[0];
    fmt::print("  {} elements: {}\n", elements, row.notTimed);
    EXPECT_FALSE(row.timing);
    EXPECT_THAT(row.notTimed, HasSubstr("another stream")) << row.check.message;
  }
}

TEST_F(GpuTiming, WhatTheDeviceReaches) {
  TimingBench bench;
  const auto facts = deviceFacts(0);
  ASSERT_TRUE(facts);
  run(reluJob({}, {25}));  // torch's context
  ASSERT_TRUE(useDevice(0));
  auto clock = deviceClock(0);
  ASSERT_TRUE(clock) << clock.error().text;
  bench.clock = *std::move(clock);
  bench.device = 0;
  bench.uuid = facts->uuid;
  bench.cacheBytes = facts->l2Bytes;
  const auto start = std::chrono::steady_clock::now();
  const auto found = measureCeilings(bench, facts->architecture, {});
  ASSERT_TRUE(found) << describe(found.error());
  fmt::print(
      "measured in {:.0f} ms: DRAM {}/s, L2 {}/s, L1 {}/s, shared {}/s, FP32 {:.1f} T, FP64 {:.1f} T, fp16 "
      "{:.0f} T, bf16 "
      "{:.0f} T, tf32 {:.0f} T, launch {}, noise {} short, {} long\n",
      milliseconds(start), formatBytes(found->dramBytesPerSecond), formatBytes(found->l2BytesPerSecond),
      formatBytes(found->l1BytesPerSecond), formatBytes(found->sharedBytesPerSecond), found->fp32 * 1e-12,
      found->fp64 * 1e-12, found->fp16Tensor * 1e-12, found->bf16Tensor * 1e-12, found->tf32Tensor * 1e-12,
      formatSeconds(found->launchSeconds), formatPercent(found->noiseShort), formatPercent(found->noiseLong));
  EXPECT_GT(found->dramBytesPerSecond, 0);
  EXPECT_GT(found->l2BytesPerSecond, found->dramBytesPerSecond);
  EXPECT_GT(found->l1BytesPerSecond, found->l2BytesPerSecond);
  EXPECT_GT(found->fp16Tensor, found->fp32);
  EXPECT_GT(found->launchSeconds, 0.2e-6);
  EXPECT_LT(found->launchSeconds, 10e-6);
  const auto again = rememberedCeilings(bench.uuid);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *found);
  // From then on a job says it, and times have a floor and a noise.
  Job job = reluJob(reluWith(kReluBody), {std::int64_t{64} << 20});
  job.stages.time = true;
  const Report report = run(job);
  ASSERT_TRUE(report.ceilings);
  const auto& timing = report.kernels[0]->cases[0].timing;
  ASSERT_TRUE(timing) << report.kernels[0]->cases[0].notTimed;
  print(*timing);
  EXPECT_GT(timing->floor, 0);
  EXPECT_LT(timing->floor, timing->candidate);
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
