// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>

#include "core/base/quantity.h"
#include "core/engine/cupti/activity.h"
#include "core/engine/device/driver.h"
#include "core/engine/machine/ceilings.h"
#include "core/figures/selftest/known_ratios_figure.h"
#include "core/figures/text/text.h"
#include "core/jobs/selftest.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr const char* reluBody = "if (i < n) y[i] = x[i] < 0 ? 0 : x[i];";

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

void print(const CaseTiming& timing) {
  const auto both = [](const BothSides& sides) {
    return formatSeconds(sides.reference) + " | " + formatSeconds(sides.candidate);
  };
  fmt::print("    kernel {}, hot {}, step ({}) {}, call {}, host {}\n", both(timing.kernel),
             both(timing.kernelHot), name(timing.stepCaches), both(timing.step), both(timing.call),
             both(timing.host));
  fmt::print("    by events {} {}; empty {}, tick {}, warm-up {} blocks, {} dropped, floor {} {}\n",
             both(timing.events), timing.disagree, formatSeconds(timing.empty), formatSeconds(timing.tick),
             timing.warmups, timing.dropped, formatSeconds(timing.floor), timing.floorBy);
  for (const RanPart& part : timing.launched)
    fmt::print("    ran {} of {} ×{}, {:.3g} s; ", part.name, part.owner, part.times, part.seconds);
  fmt::print("{}; ", timing.math);
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
      job.stages.add(Stage::time);
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

/// A few repeats of the null test, ATen against itself.
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
      job.stages.add(Stage::time);
      job.stages.remove(Stage::check);
      job.seed = static_cast<std::uint64_t>(repeat);
      const auto start = std::chrono::steady_clock::now();
      const Report report = run(job);
      cost += milliseconds(start);
      const CaseRow& row = report.kernels[0]->cases[0];
      const auto& timing = row.timing;
      if (!timing) {
        ADD_FAILURE() << elements << ": " << row.notTimed;
        continue;
      }
      ++timed;
      worst = std::max(worst, std::abs(timing->speedup.ratio - 1));
      covers += timing->speedup.low <= 1 && 1 <= timing->speedup.high ? 1 : 0;
    }
    fmt::print("  {:>10}  {:>8}  {:>4} of {}  {:>7.1f}\n", elements, formatPercent(worst), covers, timed,
               cost / repeats);
  }
}

TEST_F(GpuTiming, OneLaunchIsTimedAsAKernelColdHoweverShort) {
  Job job = reluJob(reluWith(reluBody), {25, std::int64_t{64} << 20});
  job.stages.add(Stage::time);
  const Report report = run(job);
  const KernelReport& kernel = *report.kernels[0];
  ASSERT_TRUE(kernel.cases[0].timing) << kernel.cases[0].notTimed;
  ASSERT_TRUE(kernel.cases[1].timing) << kernel.cases[1].notTimed;
  const CaseTiming &brief = *kernel.cases[0].timing, &lengthy = *kernel.cases[1].timing;
  for (const CaseTiming* timing : {&brief, &lengthy}) {
    print(*timing);
    EXPECT_EQ(timing->caches, CacheState::cold);
    EXPECT_GT(timing->kernel.candidate, 0);
    EXPECT_GT(timing->kernelHot.candidate, 0);
    EXPECT_GT(timing->step.candidate, 0);
    EXPECT_GT(timing->call.candidate, 0);
    EXPECT_GT(timing->host.candidate, 0);
    EXPECT_GT(timing->tick, 0);
  }
  EXPECT_EQ(brief.time, "kernel");
  EXPECT_THAT(brief.clock, HasSubstr("CUPTI's records"));
  EXPECT_EQ(brief.kernel.candidate, brief.candidate);
  EXPECT_GT(brief.empty, 0);
  // One thread an element makes 262 144 blocks, which recording may slow: then it is timed as a step.
  if (lengthy.time == "step") EXPECT_THAT(lengthy.note, HasSubstr("slow a kernel of so many blocks"));
  EXPECT_NEAR(lengthy.events.candidate / lengthy.candidate, 1, 0.02);
  EXPECT_LT(brief.candidate, 4e-6);
  ASSERT_EQ(lengthy.launched.size(), 1U);
  EXPECT_EQ(lengthy.launched[0].name, "relu");
  EXPECT_EQ(lengthy.launched[0].owner, ownedByKernel);
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
  job.stages.add(Stage::time);
  return job;
}

std::string threeLaunches(const std::string& stream) {
  return "for (int i = 0; i < 3; ++i) mine<<<(n + 255) / 256, 256, 0, " + stream +
         ">>>(self.data_ptr<float>(), y.data_ptr<float>(), n);";
}

TEST_F(GpuTiming, SeveralShortLaunchesAreTimedAsAStep) {
  const Report report =
      run(extensionJob(reluJob({}, {1000}), threeLaunches("at::cuda::getCurrentCUDAStream()")));
  printCases(*report.kernels[0]);
  const CaseRow& row = report.kernels[0]->cases[0];
  ASSERT_TRUE(row.timing) << row.notTimed << row.check.message;
  print(*row.timing);
  EXPECT_EQ(row.timing->time, "step");
  EXPECT_EQ(row.timing->caches, CacheState::hot);
  EXPECT_THAT(row.timing->clock, HasSubstr("CUDA graphs of"));
  EXPECT_GT(row.timing->kernel.candidate, 0);
}

TEST_F(GpuTiming, LaunchesThatNoGraphHoldsAreTimedByTheirRecordsAndTheNoteSaysWhy) {
  // Long enough that a host enqueues each while the one before it runs.
  const Report report =
      run(extensionJob(reluJob({}, {std::int64_t{16} << 20}), threeLaunches("cudaStreamLegacy")));
  printCases(*report.kernels[0]);
  const CaseRow& row = report.kernels[0]->cases[0];
  ASSERT_TRUE(row.timing) << row.notTimed << row.check.message;
  fmt::print("  {} ({})\n", row.timing->clock, row.timing->note);
  print(*row.timing);
  EXPECT_EQ(row.timing->time, "kernel");
  EXPECT_THAT(row.timing->note, HasSubstr("not in a CUDA graph: candidate"));
  // What failed to be recorded leaves nothing behind.
  const Report next =
      run(extensionJob(reluJob({}, {1000}), threeLaunches("at::cuda::getCurrentCUDAStream()")));
  ASSERT_TRUE(next.kernels[0]->cases[0].timing) << next.kernels[0]->cases[0].notTimed;
  EXPECT_THAT(next.kernels[0]->cases[0].timing->clock, HasSubstr("CUDA graphs"));
}

/// A relu that waits so many cycles first: what was said of it, and what the second clock says.
TEST_F(GpuTiming, AReluThatWaitsBesideAtens) {
  fmt::print("  {:>9} {:>7}  {:<12}  {:>21}  {:>21}  {:>7} {:>9}\n", "elements", "cycles", "time",
             "reference said/events", "candidate said/events", "speedup", "by events");
  const std::int64_t million = std::int64_t{1} << 20;
  const std::vector<std::pair<std::int64_t, int>> rows{
      {4 * million, 0},     {4 * million, 10000}, {4 * million, 30000}, {16 * million, 0},
      {16 * million, 4000}, {65536, 0},           {65536, 4000}};
  for (const auto& [elements, cycles] : rows) {
    Job job =
        reluJob(reluWith(fmt::format("const long long t = clock64(); while (clock64() - t < {}) {{}}\n{}",
                                     cycles, reluBody)),
                {elements});
    job.stages.add(Stage::time);
    const Report report = run(job);
    const CaseRow& row = report.kernels[0]->cases[0];
    ASSERT_TRUE(row.timing) << row.notTimed << row.check.message;
    const CaseTiming& timing = *row.timing;
    const BothSides& events = timing.events;
    fmt::print("  {:>9} {:>7}  {:<12}  {:>10} {:>10}  {:>10} {:>10}  {:>7.4f} {:>9.4f} {}\n", elements,
               cycles, timing.time + " " + std::string(name(timing.caches)), formatSeconds(timing.reference),
               formatSeconds(events.reference), formatSeconds(timing.candidate),
               formatSeconds(events.candidate), timing.speedup.ratio,
               events.candidate > 0 ? events.reference / events.candidate : 0, timing.disagree);
    print(timing);
  }
}

/// Kernels whose length is known: what is said of them is true within 2 %, from 10 µs on within 1 %.
TEST_F(GpuTiming, KnownRatiosAreSaidAsTheyAre) {
  const auto known = knownRatios(run(*makeJob(knownRatioRequest(2, "cuda:0"))));
  ASSERT_TRUE(known) << known.error().text;
  fmt::print("an empty kernel {}, {:.0f} MHz\n{}", formatSeconds(known->empty), known->hertz / 1e6,
             toText(knownRatioTable(*known)));
  for (const KnownRow& row : known->rows)
    EXPECT_LT(row.worst, row.seconds < 9e-6 ? 0.02 : 0.01) << formatSeconds(row.seconds);
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
    // A long one may be seen earlier: its answer is compared before the other stream has written it.
    if (row.check.verdict == Verdict::pass)
      EXPECT_THAT(row.notTimed, HasSubstr("another stream"));
    else
      EXPECT_EQ(row.check.verdict, Verdict::mismatch) << row.check.message;
  }
}

TEST_F(GpuTiming, WhatTheDeviceReaches) {
  MeasuredDevice bench;
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
      "{:.0f} T, tf32 {:.0f} T, launch {}, {} of the L2's lines evicted\n",
      milliseconds(start), formatBytes(found->dramBytesPerSecond), formatBytes(found->l2BytesPerSecond),
      formatBytes(found->l1BytesPerSecond), formatBytes(found->sharedBytesPerSecond), found->fp32 * 1e-12,
      found->fp64 * 1e-12, found->fp16Tensor * 1e-12, found->bf16Tensor * 1e-12, found->tf32Tensor * 1e-12,
      formatSeconds(found->launchSeconds), formatPercent(found->evicted));
  EXPECT_GT(found->dramBytesPerSecond, 0);
  EXPECT_GT(found->evicted, 0.95) << "what is called cold is not";
  EXPECT_GT(found->l2BytesPerSecond, found->dramBytesPerSecond);
  EXPECT_GT(found->l1BytesPerSecond, found->l2BytesPerSecond);
  EXPECT_GT(found->fp16Tensor, found->fp32);
  EXPECT_GT(found->launchSeconds, 0.2e-6);
  EXPECT_LT(found->launchSeconds, 10e-6);
  const auto again = rememberedCeilings(bench.uuid);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *found);
  // From then on a job says it, and times have a floor.
  Job job = reluJob(reluWith(reluBody), {std::int64_t{64} << 20});
  job.stages.add(Stage::time);
  const Report report = run(job);
  ASSERT_TRUE(report.ceilings);
  const auto& timing = report.kernels[0]->cases[0].timing;
  ASSERT_TRUE(timing) << report.kernels[0]->cases[0].notTimed;
  print(*timing);
  EXPECT_GT(timing->floor, 0);
  EXPECT_LT(timing->floor, timing->candidate);
}

TEST_F(GpuTiming, RawCudaAgainstAten) {
  table("raw CUDA relu against ATen's", reluWith(reluBody), {});
}

TEST_F(GpuTiming, LatencyOfOneCaseAndOfTheSuite) {
  run(reluJob({}, {25}));  // a warm engine
  TimingPlan quick;
  quick.capSeconds = 0.25;
  for (int round = 0; round < 3; ++round) {
    Job job = reluJob(reluWith(reluBody + fmt::format("  // round {}", round)), {65536});
    job.stages.add(Stage::time);
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
      job.stages.set(Stage::time, timed);
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
