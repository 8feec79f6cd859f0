// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/model/metrics/metric_catalogue.h"
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
    job.stages.add(Stage::profile);
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
  const CaseProfile profile = profileOf(profileJob(copySource, 4 * million));
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

/// What the counters of a copy of 4 MiB must say of the memory: all of it comes from there, or none.
class GpuProfileCaches : public GpuProfile, public testing::WithParamInterface<CacheState> {
 protected:
  static Job jobWith(CacheState caches, const std::string& source,
                     std::vector<std::string> sections = {"quick"}) {
    Job job = profileJob(source, million, std::move(sections));
    job.profile.caches = caches;
    job.profile.lines = false;
    return job;
  }
};

TEST_P(GpuProfileCaches, ACopyReadsItsInputFromMemoryOrNot) {
  const CaseProfile profile = profileOf(jobWith(GetParam(), copySource));
  const double bytes = 4.0 * million;
  for (const SideProfile* side : {&profile.candidate, &profile.reference}) {
    EXPECT_EQ(side->caches, GetParam());
    const double read = metric(*side, "dram__bytes_read.sum");
    fmt::print("    {} L2: {:.0f} bytes read, {:.0f} written, L2 hits {:.1f} %, {:.2f} µs\n",
               name(GetParam()), read, metric(*side, "dram__bytes_write.sum"),
               metric(*side, "lts__t_sector_hit_rate.pct"), metric(*side, "gpu__time_duration.sum") / 1e3);
    if (GetParam() == CacheState::hot) {
      EXPECT_LT(read, 0.02 * bytes);
      continue;
    }
    EXPECT_NEAR(read, bytes, 0.05 * bytes);
    // What it writes stays in the cache, and what the eviction left there is clean.
    EXPECT_LT(metric(*side, "dram__bytes_write.sum"), 0.05 * bytes);
  }
}

TEST_P(GpuProfileCaches, A32WayBankConflictIsExact) {
  const CaseProfile profile = profileOf(jobWith(GetParam(), bankConflictSource, {"access"}));
  const double warps = million / 32;
  for (const char* kind : {"ld", "st"}) {
    const double wavefronts =
        metric(profile.candidate,
               fmt::format("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", kind));
    const double conflicts = metric(
        profile.candidate, fmt::format("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum", kind));
    fmt::print("    {} L2, {}: {:.3f} wavefronts, {:.3f} conflicts\n", name(GetParam()), kind,
               wavefronts / warps, conflicts / warps);
    EXPECT_EQ(wavefronts / warps - 1, 31);
    // The stage is shared with loads of global memory, which meet in it now and then.
    EXPECT_NEAR(conflicts / warps, 31, 0.93);
  }
}

TEST_P(GpuProfileCaches, EveryPassFindsTheArgumentsAsTheFirstDid) {
  Job job = jobWith(GetParam(), storesNegativesSource);
  job.kernels[0].op = job.cases[0].op = "aten::relu_";
  const CaseProfile profile = profileOf(job);
  EXPECT_EQ(metric(profile.candidate, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), million / 32);
}

TEST_P(GpuProfileCaches, SeveralKernelsOfACallAreToldApart) {
  Job job = jobWith(GetParam(), "", {"quick"});
  job.kernels[0].op = job.cases[0].op = "aten::logsumexp";
  job.cases[0].args = "((T([1024, 1024], f32), [1]), {})";
  const CaseProfile profile = profileOf(job);
  ASSERT_GT(profile.reference.launches.size(), 1U);
  for (const Launch& launch : profile.reference.launches) {
    fmt::print("    {} L2, {}: {} metrics\n", name(GetParam()), launch.kernel, launch.metrics.size());
    EXPECT_FALSE(launch.metrics.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(States, GpuProfileCaches, testing::Values(CacheState::cold, CacheState::hot),
                         [](const auto& one) { return std::string(name(one.param)); });

TEST_F(GpuProfile, CountersAreReadWithTheCachesOfTheHeadlineTime) {
  for (const std::int64_t elements : {std::int64_t{4096}, 64 * million}) {
    Job job = profileJob(copySource, elements);
    job.profile.lines = false;
    job.stages.add(Stage::time);
    job.timing.capSeconds = 0.25;
    const CaseProfile profile = profileOf(job);
    const auto& timing = report_.kernels[0]->cases[0].timing;
    ASSERT_TRUE(timing);
    fmt::print("    {} elements: {}, counters {}\n", elements, timing->clock, name(profile.candidate.caches));
    EXPECT_NE(timing->caches, CacheState::unknown);
    EXPECT_EQ(profile.candidate.caches, timing->caches);
  }
}

TEST_F(GpuProfile, AnFmaChainsOperationsAreExact) {
  const CaseProfile profile = profileOf(profileJob(fmaChainSource, million, {"roofline"}));
  EXPECT_EQ(metric(profile.candidate, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
            256.0 * million);
}

TEST_F(GpuProfile, AStridedLoadTakesASectorALane) {
  const CaseProfile profile = profileOf(profileJob(stridedSource, million));
  const double sectors = metric(profile.candidate, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  const double requests = metric(profile.candidate, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(sectors / requests, 32);
}

TEST_F(GpuProfile, SharedMemoryLimitsOccupancy) {
  const CaseProfile profile = profileOf(profileJob(lowOccupancySource, million));
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_EQ(profile.candidate.launches[0].dynamicShared, 180000);
  const double active = metric(profile.candidate, "sm__warps_active.avg.pct_of_peak_sustained_active");
  EXPECT_GT(active, 1);
  EXPECT_LT(active, 4);  // 2 of 64 warps
}

TEST_F(GpuProfile, SpillsShowAsLocalMemory) {
  const CaseProfile profile = profileOf(profileJob(spillingSource, million));
  ASSERT_EQ(profile.candidate.launches.size(), 1U);
  EXPECT_LE(profile.candidate.launches[0].registers, 24);
  EXPECT_GT(profile.candidate.launches[0].localBytes, 0);
  EXPECT_GT(metric(profile.candidate, "smsp__sass_inst_executed_op_local.sum"), 0);
}

TEST_F(GpuProfile, LoadsThatWaitForLoadsAreALongScoreboardOnTheirLine) {
  const CaseProfile profile = profileOf(profileJob(longScoreboardSource, million));
  printLines(profile.candidate);
  const auto all = lines(profile.candidate);
  const int line = lineOf(longScoreboardSource);
  ASSERT_TRUE(all.contains(line));
  EXPECT_EQ(topReason(all.at(line)), "long_scoreboard");
  std::int64_t here = 0;
  for (const auto& [reason, count] : all.at(line)) here += count;
  EXPECT_GT(here, total(profile.candidate) / 2);
}

TEST_F(GpuProfile, WarpsThatWaitForOneStandAtTheBarriersLine) {
  const CaseProfile profile = profileOf(profileJob(barrierSource, million));
  printLines(profile.candidate);
  const auto all = lines(profile.candidate);
  ASSERT_TRUE(all.contains(lineOf(barrierSource)));
  EXPECT_EQ(topReason(all.at(lineOf(barrierSource))), "barrier");
  ASSERT_FALSE(report_.kernels[0]->listings.empty());
  const auto& code = report_.kernels[0]->listings[0].instructions;
  EXPECT_TRUE(std::any_of(code.begin(), code.end(), [](const Instruction& one) {
    return one.line == lineOf(barrierSource) && one.text.find("BAR") != std::string::npos;
  }));
}

TEST_F(GpuProfile, EverySectionIsCountedAndWhatIsMissingIsNamed) {
  Job job = profileJob(copySource, 4 * million, {"all"});
  job.profile.lines = false;
  const CaseProfile profile = profileOf(job);
  fmt::print("  all sections: {} metrics, {} missing\n",
             profile.candidate.launches.empty() ? 0 : profile.candidate.launches[0].metrics.size(),
             profile.candidate.missing.size());
  for (const std::string& name : profile.candidate.missing) fmt::print("    missing {}\n", name);
  profileOf(job);  // warm
  EXPECT_GT(metric(profile.candidate, "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 0);
}

/// 217 % of the L2's lookups were "hits" on an H200 before.
TEST_F(GpuProfile, HitRatesOfATinyKernelAreRatesOrUnknown) {
  Job job = profileJob(copySource, 500, {"all"});
  job.profile.lines = false;
  const CaseProfile profile = profileOf(job);
  ASSERT_FALSE(profile.candidate.launches.empty());
  for (const MetricValue& one : profile.candidate.launches[0].metrics)
    if (one.name.ends_with("hit_rate.pct")) {
      fmt::print("    {} {}\n", one.name, one.value);
      EXPECT_FALSE(one.value > 100) << one.name;
    }
}

TEST_F(GpuProfile, TheTimelineHasTheHostsCallsAndTheKernel) {
  const CaseProfile profile = profileOf(profileJob(copySource, million, {}));
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
  const CaseProfile profile = profileOf(profileJob(tinySource, 8));
  EXPECT_TRUE(profile.done);
  EXPECT_EQ(profile.candidate.launches.size(), 1U);
}

TEST_F(GpuProfile, AKernelThatRunsLongIsProfiledAllTheSame) {
  Job job = profileJob(secondsSource, 256);
  job.stages.remove(Stage::time);
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
  job.stages.add(Stage::profile);
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
  job.stages.add(Stage::profile);
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
  Job job = profileJob(copySource, 4 * million);
  job.stages.add(Stage::time);
  job.timing.capSeconds = 0.25;
  profileOf(job);  // what is done once: CUPTI, the device's ceilings
  for (const auto& [lines, what] : {std::pair{false, "with metrics"}, {true, "with metrics and hot lines"}})
    for (int run = 0; run < 3; ++run) {
      job.kernels[0].text = std::string(copySource) + fmt::format("// {} {}\n", what, run);
      job.profile.lines = lines;
      const CaseProfile profile = profileOf(job);
      EXPECT_FALSE(profile.candidate.launches.empty());
      EXPECT_EQ(total(profile.candidate) > 0, lines);
      fmt::print("  save → compiled, checked, timed, {}: {:.0f} ms\n", what, seconds_ * 1e3);
    }
}

TEST_F(GpuProfile, WarmMetricsOfBothSidesAndHotLinesAreQuick) {
  Job job = profileJob(copySource, 4 * million);
  profileOf(job);
  fmt::print("  warm, counters and lines:\n");
  profileOf(job);
  job.profile.lines = false;
  fmt::print("  warm, counters alone:\n");
  const CaseProfile profile = profileOf(job);
  EXPECT_FALSE(profile.reference.launches.empty());
  fmt::print("  metrics of candidate and reference, warm: {:.0f} ms\n", profile.candidate.seconds * 1e3);
}

}  // namespace
}  // namespace wb
