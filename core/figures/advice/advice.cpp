// SPDX-License-Identifier: Apache-2.0
#include "core/figures/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/quantity.h"
#include "core/figures/advice/access_rules.h"
#include "core/figures/advice/evidence.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"
#include "core/model/operators/operator_name.h"

namespace wb {

namespace {

using Maybe = std::optional<Advice>;

Maybe memoryBound(const Report& report, const ProfiledCase& one) {
  double perSecond = 0;
  const auto share = memoryShare(report, one, &perSecond);
  if (!share || *share < nearCeiling) return std::nullopt;
  Advice advice;
  advice.tone = Tone::good;
  const bool measured = report.ceilings && report.ceilings->dramBytesPerSecond > 0 && perSecond > 0;
  advice.text = measured ? fmt::format("Memory-bound: DRAM moves {}, {} of the {} that this card reached",
                                       formatScaled(perSecond, "B/s"), formatPercent(*share),
                                       formatScaled(report.ceilings->dramBytesPerSecond, "B/s"))
                         : fmt::format("Memory-bound: DRAM is at {} of its peak", formatPercent(*share));
  const auto ours = workOf(one.profile->candidate).dramBytes,
             theirs = workOf(one.profile->reference).dramBytes;
  if (ours && theirs && *theirs > 0 && *ours > 1.1 * *theirs) {
    advice.text += fmt::format("; the reference moves {} where it moves {}, so there are bytes to save",
                               formatBytes(*theirs), formatBytes(*ours));
    advice.tone = Tone::warning;
    advice.weight = 1 - *theirs / *ours;
  } else {
    advice.text += "; only moving fewer bytes will make it faster";
    advice.weight = std::max(0.0, 1 - *share);
  }
  advice.saves = advice.weight * shareOfCall(one);
  return advice;
}

Maybe computeBound(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const Busy unit = busiest(*launch);
  const auto memory = metricOf(*launch, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  if (unit.share < nearCeiling || (memory && *memory / 100 > unit.share)) return std::nullopt;
  Advice advice;
  advice.tone = Tone::good;
  advice.weight = 1 - unit.share;
  advice.saves = advice.weight * shareOfCall(one);
  advice.text = fmt::format("Compute-bound: {}{} is at {} of its peak", unit.what, ofKernel(one, *launch),
                            formatPercent(unit.share));
  if (memory) advice.text += fmt::format(", DRAM at {}", formatPercent(*memory / 100));
  advice.text += "; only fewer or cheaper instructions will make it faster";
  return advice;
}

Maybe lowOccupancy(const Report& report, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const LaunchFacts facts = factsOf(report.target, *launch);
  double perSecond = 0;
  // A kernel that keeps memory busy has enough warps.
  if (memoryShare(report, one, &perSecond).value_or(0) >= nearCeiling) return std::nullopt;
  if (computeIsNearItsCeiling(one)) return std::nullopt;
  if (!facts.occupancy || facts.occupancy->blocks == 0 || facts.occupancy->fraction > 0.5)
    return std::nullopt;
  const Occupancy& o = *facts.occupancy;
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = 0.5 * (1 - o.fraction);
  // More warps only fill cycles in which none of those that are there could go on.
  double idle = 1 - o.fraction;
  if (const auto used = metricOf(*launch, "smsp__issue_active.avg.pct_of_peak_sustained_active"))
    idle = std::min(idle, 1 - *used / 100);
  advice.saves = std::max(0.0, idle) * shareOfCall(one);
  const bool many = o.limiter.ends_with('s') || o.limiter.find(',') != std::string::npos;
  std::string limiter = o.limiter;
  if (limiter.empty()) limiter = "its resources";
  if (limiter == "blocks") limiter = "the device's limits";
  advice.text =
      fmt::format("Low occupancy: {} allow{} {} of {} threads{} on a multiprocessor, {} of its warps",
                  limiter, many || o.limiter.empty() ? "" : "s", plural(o.blocks, "block", "blocks"),
                  formatCount(threadsOf(*launch)), ofKernel(one, *launch), formatPercent(o.fraction));
  if (facts.achieved) advice.text += fmt::format(" ({} were resident)", formatPercent(*facts.achieved));
  if (o.limiter.find("registers") != std::string::npos)
    advice.text += fmt::format("; it uses {} registers a thread", launch->registers);
  else if (o.limiter == "blocks")
    advice.text += "; larger blocks would fill it";
  else if (o.limiter.find("shared") != std::string::npos)
    advice.text +=
        fmt::format("; a block takes {} of shared memory",
                    formatBytes(static_cast<double>(launch->staticShared + launch->dynamicShared)));
  return advice;
}

Maybe tail(const Report& report, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const LaunchFacts facts = factsOf(report.target, *launch);
  if (!facts.waves || *facts.waves <= 0) return std::nullopt;
  const std::int64_t blocks = blocksOf(*launch);
  Advice advice;
  advice.tone = Tone::warning;
  if (blocks < report.target.multiprocessors) {
    advice.weight = 1 - static_cast<double>(blocks) / report.target.multiprocessors;
    advice.saves = advice.weight * shareOfCall(one);
    advice.text = fmt::format(
        "Small grid: {}{} {} {} of {} multiprocessors without work", plural(blocks, "block", "blocks"),
        ofKernel(one, *launch), blocks == 1 ? "leaves" : "leave",
        formatCount(report.target.multiprocessors - blocks), formatCount(report.target.multiprocessors));
    return advice;
  }
  const double whole = std::ceil(*facts.waves), lost = 1 - *facts.waves / whole;
  if (*facts.waves < 1 || lost < 0.15) return std::nullopt;
  advice.weight = lost;
  advice.saves = lost * shareOfCall(one);
  advice.text = fmt::format(
      "Tail: the grid{} is {} waves of {} blocks, so the last one fills {} of the card and {} of the time "
      "may "
      "be lost; change the block's size or loop over more work in fewer blocks",
      ofKernel(one, *launch), formatNumber(*facts.waves),
      formatCount(std::int64_t{facts.occupancy->blocks} * report.target.multiprocessors),
      formatPercent(*facts.waves - std::floor(*facts.waves)), formatPercent(lost));
  return advice;
}

bool multipliesMatrices(std::string_view op) {
  constexpr std::array<std::string_view, 12> names = {
      "mm",     "bmm",         "addmm",  "baddbmm", "addbmm", "matmul",
      "linear", "convolution", "conv1d", "conv2d",  "conv3d", "scaled_dot_product_attention"};
  return std::find(names.begin(), names.end(), baseName(op)) != names.end();
}

Maybe noTensorPipe(const Report&, const ProfiledCase& one) {
  const std::string& dtype = one.row->definition.dtype;
  if (!multipliesMatrices(one.row->definition.op) || (dtype != "f16" && dtype != "bf16")) return std::nullopt;
  // Either the counters say that the pipe was idle, or the machine code has no instruction for it.
  bool counted = false;
  for (const Launch& launch : one.profile->candidate.launches)
    for (const MetricValue& metric : launch.metrics)
      if (metric.name.find("tensor") != std::string::npos) {
        counted = true;
        if (metric.value > 0) return std::nullopt;
      }
  for (const Listing& listing : one.kernel->listings)
    for (const Instruction& instruction : listing.instructions)
      if (instruction.text.find("MMA") != std::string::npos) return std::nullopt;
  if (!counted && one.kernel->listings.empty()) return std::nullopt;
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = 0.9;
  advice.text = fmt::format(
      "No tensor cores: a product of {} matrices ran without one matrix instruction; use wmma, mma.sync or "
      "wgmma",
      dtype);
  advice.place = hottestLine(one, {"HFMA2", "FFMA", "HMUL2"});
  return advice;
}

Maybe launchBound(const Report&, const ProfiledCase& one) {
  const SideProfile& side = one.profile->candidate;
  double busy = 0;
  for (const Launch& launch : side.launches) busy += launch.seconds;
  if (side.launches.empty() || busy <= 0) return std::nullopt;
  Advice advice;
  advice.tone = Tone::warning;
  const auto count = static_cast<std::int64_t>(side.launches.size());
  const double mean = busy / static_cast<double>(count);
  if (count >= 3 && mean < 5e-6) {
    advice.weight = 0.7;
    advice.text = fmt::format("Launch-bound: {} kernels of {} on average; fuse them or capture a graph",
                              formatCount(count), formatSeconds(mean));
    return advice;
  }
  const double host = one.row->timing ? one.row->timing->host.candidate : 0;
  if (host > 1.5 * busy) {
    advice.weight = 1 - busy / host;
    advice.saves = advice.weight;
    advice.text = fmt::format(
        "Launch-bound: the host takes {} to enqueue a call whose kernels run for {}; a graph, or more work a "
        "call, would hide that",
        formatSeconds(host), formatSeconds(busy));
    return advice;
  }
  return std::nullopt;
}

Maybe hotLine(const Report& report, const ProfiledCase& one) {
  const std::vector<LineHeat> heat = lineHeat(report, one.at);
  if (heat.empty() || heat.front().share < 0.15 || heat.front().stall.empty()) return std::nullopt;
  const LineHeat& top = heat.front();
  if (static_cast<double>(samplesOf(one.profile->candidate)) < fewestSamples) return std::nullopt;
  Advice advice;
  advice.tone = Tone::neutral;
  advice.weight = top.share;
  advice.place = {top.file, top.line, 0};
  advice.text = fmt::format("Hot line: {} of the samples fell on one line, the main stall there is {}",
                            formatPercent(top.share), top.stall);
  return advice;
}

using Names = std::array<std::string_view, 4>;
constexpr Names memoryMetrics = {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "derived__dram_bytes",
                                 "dram__bytes_read.sum", "dram__bytes_write.sum"};
constexpr Names computeMetrics = {"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                                  "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                  "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
                                  "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"};
constexpr std::array<std::string_view, 2> tensorMetrics = {
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"};
constexpr std::array<std::string_view, 1> timeMetrics = {"gpu__time_duration.sum"};
constexpr Names accessMetrics = {"derived__sectors_per_request_global_load",
                                 "derived__sectors_per_request_global_store",
                                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
                                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"};
constexpr std::array<std::string_view, 3> conflictMetrics = {
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
constexpr std::array<std::string_view, 1> spillMetrics = {"smsp__sass_inst_executed_op_local.sum"};
constexpr std::array<std::string_view, 2> tailMetrics = {
    "sm__ctas_launched.sum", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"};
constexpr std::array<std::string_view, 1> occupancyMetrics = {
    "sm__warps_active.avg.pct_of_peak_sustained_active"};

}  // namespace

std::span<const AdviceRule> adviceRules() {
  static constexpr std::array rules = {
      AdviceRule{"memory-bound", "Memory-bound", memoryBound, memoryMetrics},
      AdviceRule{"compute-bound", "Compute-bound", computeBound, computeMetrics},
      AdviceRule{"no-tensor-pipe", "No tensor cores", noTensorPipe, tensorMetrics},
      AdviceRule{"launch-bound", "Launch-bound", launchBound, timeMetrics},
      AdviceRule{"uncoalesced", "Uncoalesced", uncoalesced, accessMetrics},
      AdviceRule{"bank-conflicts", "Bank conflicts", bankConflicts, conflictMetrics},
      AdviceRule{"spills", "Spills", spills, spillMetrics},
      AdviceRule{"tail", "Tail", tail, tailMetrics},
      AdviceRule{"low-occupancy", "Low occupancy", lowOccupancy, occupancyMetrics},
      AdviceRule{"hot-line", "Hot line", hotLine},
  };
  return rules;
}

}  // namespace wb
