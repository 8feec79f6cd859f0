// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "core/base/file.h"
#include "core/base/paths.h"
#include "core/model/metric_catalogue.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/profile_kernels.h"

namespace wb {
namespace {

constexpr std::int64_t million = std::int64_t{1} << 20;

class GpuProfile : public GpuTest {
 protected:
  static Job profileJob(const std::string& source, std::int64_t elements,
                        std::vector<std::string> sections = {"quick"}) {
    Job job = reluJob(source, {elements});
    job.stages.profile = true;
    job.profile.sections = std::move(sections);
    return job;
  }

  /// The one case's profile; a failure when there is none.
  CaseProfile profileOf(const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    report_ = run(job);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printCases(*report_.kernels[0]);
    for (const auto& chunk : report_.log.chunks())
      for (const Log& log : *chunk) fmt::print("  {}: {}\n", log.source, log.text);
    EXPECT_EQ(report_.outcome, Outcome::finished);
    const auto& cases = report_.kernels[0]->cases;
    if (cases.empty() || !cases[0].profile) {
      ADD_FAILURE() << "no profile";
      return {};
    }
    const CaseProfile profile = **cases[0].profile;
    for (const SideProfile* side : {&profile.candidate, &profile.reference})
      for (const std::string& note : side->notes) fmt::print("  note: {}\n", note);
    if (!profile.notProfiled.empty()) fmt::print("  not profiled: {}\n", profile.notProfiled);
    fmt::print("  {:.0f} ms, {} passes, counters {:.0f} ms, {} samples\n", seconds_ * 1e3,
               profile.candidate.passes, profile.candidate.seconds * 1e3, total(profile.candidate));
    return profile;
  }

  static std::int64_t total(const SideProfile& side) {
    std::int64_t sum = 0;
    for (const PcSample& sample : side.samples)
      for (const StallSamples& stall : sample.stalls) sum += stall.samples;
    return sum;
  }

  static double metric(const SideProfile& side, const std::string& name) {
    if (side.launches.empty()) return std::nan("");
    for (const MetricValue& value : side.launches[0].metrics)
      if (value.name == name) return value.value;
    return std::nan("");
  }

  /// Samples by line of the kernel's own file, and the most frequent reason of one.
  static std::map<int, std::map<std::string, std::int64_t>> lines(const SideProfile& side) {
    std::map<int, std::map<std::string, std::int64_t>> all;
    for (const PcSample& sample : side.samples)
      if (sample.place.file == "kernel.cu")
        for (const StallSamples& stall : sample.stalls) all[sample.place.line][stall.reason] += stall.samples;
    return all;
  }
  static std::string topReason(const std::map<std::string, std::int64_t>& reasons) {
    const auto top = std::max_element(reasons.begin(), reasons.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
    return top == reasons.end() ? "" : top->first;
  }
  static void printLines(const SideProfile& side) {
    for (const auto& [line, reasons] : lines(side)) {
      std::int64_t sum = 0;
      for (const auto& [reason, count] : reasons) sum += count;
      fmt::print("    line {}: {} samples, {}\n", line, sum, topReason(reasons));
    }
  }

  Report report_;
  double seconds_ = 0;
};

TEST_F(GpuProfile, ACopysSectorsAndRequestsAreExact) {
  const CaseProfile profile = profileOf(profileJob(kCopy, 4 * million));
  const double n = 4.0 * million;
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_EQ(profile.candidate.launches[0].kernel, "relu");
  EXPECT_EQ(profile.candidate.launches[0].block[0], 256);
  EXPECT_EQ(profile.candidate.launches[0].grid[0], 4 * million / 256);
  EXPECT_GT(profile.candidate.launches[0].registers, 0);
  EXPECT_EQ(metric(profile.candidate, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), n / 8);
  EXPECT_EQ(metric(profile.candidate, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), n / 32);
  EXPECT_EQ(metric(profile.candidate, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), n / 8);
  EXPECT_EQ(metric(profile.candidate, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), n / 32);
  EXPECT_FALSE(profile.reference.launches.empty());
  EXPECT_GT(metric(profile.reference, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 0);
  EXPECT_TRUE(profile.done);
  for (const auto& value : profile.candidate.launches[0].metrics)
    fmt::print("    {} {:.6g}\n", value.name, value.value);
}

TEST_F(GpuProfile, AnFmaChainsOperationsAreExact) {
  const CaseProfile profile = profileOf(profileJob(kFmaChain, million, {"roofline"}));
  EXPECT_EQ(metric(profile.candidate, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
            256.0 * million);
}

TEST_F(GpuProfile, AStridedLoadTakesASectorALane) {
  const CaseProfile profile = profileOf(profileJob(kStrided, million));
  const double sectors = metric(profile.candidate, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  const double requests = metric(profile.candidate, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(sectors / requests, 32);
}

TEST_F(GpuProfile, A32WayBankConflictIsCounted) {
  const CaseProfile profile = profileOf(profileJob(kBankConflict, million));
  const double stores = metric(profile.candidate, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
  const double loads = metric(profile.candidate, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  EXPECT_NEAR(stores / (million / 32), 31, 0.31);
  EXPECT_NEAR(loads / (million / 32), 31,
              0.93);  // the loads of global memory share the data stage: 31.6 here
}

TEST_F(GpuProfile, SharedMemoryLimitsOccupancy) {
  const CaseProfile profile = profileOf(profileJob(kLowOccupancy, million));
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_EQ(profile.candidate.launches[0].dynamicShared, 180000);
  const double active = metric(profile.candidate, "sm__warps_active.avg.pct_of_peak_sustained_active");
  EXPECT_GT(active, 1);
  EXPECT_LT(active, 4);  // 2 of 64 warps
}

TEST_F(GpuProfile, SpillsShowAsLocalMemory) {
  const CaseProfile profile = profileOf(profileJob(kSpilling, million));
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_LE(profile.candidate.launches[0].registers, 24);
  EXPECT_GT(profile.candidate.launches[0].localBytes, 0);
  EXPECT_GT(metric(profile.candidate, "smsp__sass_inst_executed_op_local.sum"), 0);
}

TEST_F(GpuProfile, LoadsThatWaitForLoadsAreALongScoreboardOnTheirLine) {
  const CaseProfile profile = profileOf(profileJob(kLongScoreboard, million));
  printLines(profile.candidate);
  const auto all = lines(profile.candidate);
  const int line = lineOf(kLongScoreboard);
  ASSERT_TRUE(all.contains(line));
  EXPECT_EQ(topReason(all.at(line)), "long_scoreboard");
  std::int64_t here = 0;
  for (const auto& [reason, count] : all.at(line)) here += count;
  EXPECT_GT(here, total(profile.candidate) / 2);
}

TEST_F(GpuProfile, WarpsThatWaitForOneStandAtTheBarriersLine) {
  const CaseProfile profile = profileOf(profileJob(kBarrier, million));
  printLines(profile.candidate);
  const auto all = lines(profile.candidate);
  ASSERT_TRUE(all.contains(lineOf(kBarrier)));
  EXPECT_EQ(topReason(all.at(lineOf(kBarrier))), "barrier");
  ASSERT_FALSE(report_.kernels[0]->listings.empty());
  const auto& code = report_.kernels[0]->listings[0].instructions;
  EXPECT_TRUE(std::any_of(code.begin(), code.end(), [](const Instruction& one) {
    return one.line == lineOf(kBarrier) && one.text.find("BAR") != std::string::npos;
  }));
}

TEST_F(GpuProfile, EverySectionIsCountedAndWhatIsMissingIsNamed) {
  Job job = profileJob(kCopy, 4 * million, {"all"});
  job.profile.lines = false;
  const CaseProfile profile = profileOf(job);
  fmt::print("  all sections: {} metrics, {} missing\n",
             profile.candidate.launches.empty() ? 0 : profile.candidate.launches[0].metrics.size(),
             profile.candidate.missing.size());
  for (const std::string& name : profile.candidate.missing) fmt::print("    missing {}\n", name);
  profileOf(job);  // warm
  EXPECT_GT(metric(profile.candidate, "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 0);
}

TEST_F(GpuProfile, TheTimelineHasTheHostsCallsAndTheKernel) {
  const CaseProfile profile = profileOf(profileJob(kCopy, million, {}));
  EXPECT_EQ(profile.candidate.passes, 0);
  const auto has = [](const SideProfile& side, ActivityKind kind) {
    return std::any_of(side.activities.begin(), side.activities.end(),
                       [&](const Activity& one) { return one.kind == kind; });
  };
  EXPECT_TRUE(has(profile.candidate, ActivityKind::kernel));
  EXPECT_TRUE(has(profile.candidate, ActivityKind::api));
  EXPECT_TRUE(has(profile.reference, ActivityKind::kernel));
  for (const Activity& one : profile.candidate.activities)
    fmt::print("    {} {} at {:.1f} µs for {:.1f} µs, stream {}\n", name(one.kind), one.name, one.start * 1e6,
               one.seconds * 1e6, one.stream);
}

TEST_F(GpuProfile, AKernelTooShortToSampleSaysSo) {
  const CaseProfile profile = profileOf(profileJob(kTiny, 8));
  EXPECT_TRUE(profile.done);
  EXPECT_EQ(profile.candidate.launches.size(), 1U);
}

TEST_F(GpuProfile, AKernelThatRunsLongIsProfiledAllTheSame) {
  Job job = profileJob(kSeconds, 256);
  job.stages.time = false;
  const CaseProfile profile = profileOf(job);
  EXPECT_TRUE(profile.done);
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_GT(profile.candidate.launches[0].seconds, 0.1);
}

TEST_F(GpuProfile, ACallWithoutKernelsSaysSo) {
  Job job = reluJob("", {million});
  job.kernels[0].op = "aten::view";
  auto view = job.cases[0];
  view.op = "aten::view";
  view.args = "((T([4, 4], f32), [16]), {})";
  job.cases = {view};
  job.stages.profile = true;
  const CaseProfile profile = profileOf(job);
  EXPECT_TRUE(profile.candidate.launches.empty());
  EXPECT_FALSE(profile.candidate.notes.empty());
}

/// In the worker that runs such a language, from its sample.
class GpuProfileSamples : public GpuProfile, public testing::WithParamInterface<const char*> {};

TEST_P(GpuProfileSamples, LinesAndMachineCodeAreItsOwn) {
  auto text = readSource(resourceFolder() / GetParam());
  ASSERT_TRUE(text);
  Job job = reluJob("", {16 * million});
  job.kernels = {{GetParam(), *text, "", "aten::relu", "", ""}};
  job.stages.profile = true;
  const Report report = runInWorker(job);
  const KernelReport& kernel = *report.kernels[0];
  printCases(kernel);
  ASSERT_TRUE(kernel.cases.size() == 1 && kernel.cases[0].profile);
  const CaseProfile& profile = **kernel.cases[0].profile;
  for (const std::string& note : profile.candidate.notes) fmt::print("  note: {}\n", note);
  std::int64_t own = 0, all = 0;
  for (const PcSample& sample : profile.candidate.samples)
    for (const StallSamples& stall : sample.stalls) {
      all += stall.samples;
      if (sample.place.file == GetParam() && sample.place.line > 0) own += stall.samples;
    }
  fmt::print("  {}: {} of {} samples on its own lines, {} listings, {} launches\n", GetParam(), own, all,
             kernel.listings.size(), profile.candidate.launches.size());
  if (own == 0 && !profile.candidate.samples.empty())
    fmt::print("  the first place: {}:{} of {}\n", profile.candidate.samples[0].place.file,
               profile.candidate.samples[0].place.line, profile.candidate.samples[0].function);
  EXPECT_GT(own, all / 2);
  EXPECT_FALSE(kernel.listings.empty());
  EXPECT_TRUE(profile.done);
}
INSTANTIATE_TEST_SUITE_P(Languages, GpuProfileSamples,
                         testing::Values("samples/relu_triton.py", "samples/relu_torch_cuda.cu"));

/// What a person waits for after saving: a new text each time.
TEST_F(GpuProfile, LatencyFromSaveToMetricsAndToHotLines) {
  Job job = profileJob(kCopy, 4 * million);
  job.stages.time = true;
  job.timing.capSeconds = 0.25;
  profileOf(job);  // what is done once: CUPTI, the device's ceilings
  for (const auto& [lines, what] : {std::pair{false, "with metrics"}, {true, "with metrics and hot lines"}})
    for (int run = 0; run < 3; ++run) {
      job.kernels[0].text = std::string(kCopy) + fmt::format("// {} {}\n", what, run);
      job.profile.lines = lines;
      profileOf(job);
      fmt::print("  save → compiled, checked, timed, {}: {:.0f} ms\n", what, seconds_ * 1e3);
    }
}

TEST_F(GpuProfile, WarmMetricsOfBothSidesAndHotLinesAreQuick) {
  Job job = profileJob(kCopy, 4 * million);
  profileOf(job);
  fmt::print("  warm, counters and lines:\n");
  profileOf(job);
  job.profile.lines = false;
  fmt::print("  warm, counters alone:\n");
  const CaseProfile profile = profileOf(job);
  fmt::print("  metrics of candidate and reference, warm: {:.0f} ms\n", profile.candidate.seconds * 1e3);
}

}  // namespace
}  // namespace wb
