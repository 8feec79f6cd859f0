// SPDX-License-Identifier: Apache-2.0
#include "core/figures/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"
#include "core/model/operators/operator_name.h"

namespace wb {

namespace {

using Maybe = std::optional<Advice>;

/// From this share of a ceiling on, the rest is not worth a rewrite.
constexpr double nearCeiling = 0.75;
/// Fewer samples than these say nothing.
constexpr double fewestSamples = 100;

const Launch* mainLaunch(const ProfiledCase& one) {
  return longestLaunch(one.profile->candidate);
}

/// " of softmax" where the call has several launches, else nothing.
std::string ofKernel(const ProfiledCase& one, const Launch& launch) {
  return one.profile->candidate.launches.size() > 1 ? " of " + shortName(launch) : std::string();
}

/// The line whose instructions of these kinds ("LDG", "LD.E") stalled most; line 0 when none did.
Place hottestLine(const ProfiledCase& one, std::initializer_list<std::string_view> opcodes) {
  const SampledCode code(one);
  std::map<std::pair<std::string, int>, std::int64_t> lines;
  for (const PcSample& sample : one.profile->candidate.samples) {
    const Instruction* instruction = code.at(sample.function, sample.offset);
    if (instruction == nullptr) continue;
    const auto starts = [&](std::string_view opcode) {
      // A predicate stands before: "@!P0 LDG.E R2, …".
      const std::size_t at = instruction->text.find(opcode);
      return at == 0 || (at != std::string::npos && instruction->text[at - 1] == ' ');
    };
    if (std::none_of(opcodes.begin(), opcodes.end(), starts)) continue;
    const Place place = code.placeOf(sample);
    if (place.line > 0) lines[{place.file, place.line}] += samplesOf(sample);
  }
  const auto most = std::max_element(lines.begin(), lines.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == lines.end() ? Place{} : Place{most->first.first, most->first.second, 0};
}

/// The first line whose instructions are of this kind, where nothing was sampled.
Place firstLine(const ProfiledCase& one, const Launch& launch, std::string_view opcode) {
  const Listing* listing = SampledCode(one).of(launch.function);
  if (listing == nullptr) return {};
  for (const Instruction& instruction : listing->instructions)
    if (instruction.line > 0 && instruction.text.find(opcode) != std::string::npos)
      return {instruction.file.empty() ? one.kernel->source.path : instruction.file, instruction.line, 0};
  return {};
}

/// The share of the call's time in which its longest launch ran; 1 where no times are known.
double shareOfCall(const ProfiledCase& one) {
  double all = 0;
  for (const Launch& launch : one.profile->candidate.launches) all += secondsOf(launch);
  return all > 0 ? secondsOf(*mainLaunch(one)) / all : 1;
}

/// The share of the samples whose warps waited for one of these; nothing without samples.
std::optional<double> waitingFor(const ProfiledCase& one, std::initializer_list<const char*> reasons) {
  Stalls sum;
  for (const PcSample& sample : one.profile->candidate.samples) addStalls(sum, sample);
  const auto all = static_cast<double>(totalSamples(sum));
  if (all < fewestSamples) return std::nullopt;
  double waiting = 0;
  for (const char* reason : reasons)
    if (const auto at = sum.find(reason); at != sum.end()) waiting += static_cast<double>(at->second);
  return waiting / all;
}
std::optional<double> waitingForMemory(const ProfiledCase& one) {
  return waitingFor(one, {"long_scoreboard", "lg_throttle"});
}
std::optional<double> waitingForShared(const ProfiledCase& one) {
  return waitingFor(one, {"short_scoreboard", "mio_throttle"});
}

/// Share of the card's DRAM bandwidth: of what was measured on it, else of the counter's own peak.
std::optional<double> memoryShare(const Report& report, const ProfiledCase& one, double* perSecond) {
  const Work work = workOf(one.profile->candidate);
  if (work.dramBytes && work.seconds > 0) {
    *perSecond = *work.dramBytes / work.seconds;
    if (report.ceilings && report.ceilings->dramBytesPerSecond > 0)
      return *perSecond / report.ceilings->dramBytesPerSecond;
  }
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const auto percent = metricOf(*launch, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

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

/// The unit of the multiprocessors that is nearest to its peak, as far as it was counted.
struct Busy {
  std::string_view what;
  /// The share of its peak, 0 to 1.
  double share = 0;
};
Busy busiest(const Launch& launch) {
  constexpr std::array units{
      std::pair{"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                "the busiest unit of the multiprocessors"},
      std::pair{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "the tensor pipe"},
      std::pair{"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "the FMA pipe"},
      std::pair{"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "the FP64 pipe"}};
  Busy most;
  for (const auto& [metric, what] : units)
    if (const auto percent = metricOf(launch, metric); percent && *percent / 100 > most.share)
      most = {what, *percent / 100};
  return most;
}

/// Whether arithmetic is so near its ceiling that nothing the kernel waits for matters much.
bool computeIsNearItsCeiling(const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  return launch != nullptr && busiest(*launch).share >= nearCeiling;
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

/// How much of each 32-byte sector that loads (or stores) fetch is used, 0 to 1; nothing when unknown.
struct Access {
  /// The sectors of one request, and the fewest that would do.
  double sectors = 0, ideal = 0;
  /// `ideal` was counted; else it is the most that any access can need.
  bool certain = false;
};
std::optional<Access> accessOf(const Launch& launch, std::string_view kind) {
  const auto sectors = metricOf(launch, fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", kind));
  const auto requests =
      metricOf(launch, fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", kind));
  if (!sectors || !requests || *requests <= 0 || *sectors <= 0) return std::nullopt;
  Access access{*sectors / *requests, 16, false};
  const auto used =
      metricOf(launch, fmt::format("smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.pct", kind));
  if (used && *used > 0) {
    access.ideal = access.sectors * std::min(*used / 100, 1.0);
    access.certain = true;
  }
  return access;
}

Maybe uncoalesced(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  Maybe worst;
  for (const auto& [kind, words, opcode] :
       {std::tuple{"ld", "loads", "LDG"}, std::tuple{"st", "stores", "STG"}}) {
    const auto access = accessOf(*launch, kind);
    // Without a count of used bytes, only more than 16 sectors, those of a full warp's 16-byte accesses, are
    // certain.
    if (!access || access->sectors < (access->certain ? 2 : 1) * access->ideal * 1.02) continue;
    Advice advice;
    advice.tone = Tone::warning;
    advice.weight = std::min(1.0, 1 - access->ideal / access->sectors);
    advice.text = fmt::format(
        "Uncoalesced: global {}{} touch {} sectors of 32 bytes a request where {}{} would do; "
        "neighbouring threads should use neighbouring addresses",
        words, ofKernel(one, *launch), formatNumber(access->sectors), access->certain ? "" : "at most ",
        formatNumber(access->ideal));
    advice.place = hottestLine(one, {opcode});
    if (advice.place.line == 0) advice.place = firstLine(one, *launch, opcode);
    if (const auto waiting = waitingForMemory(one)) advice.saves = *waiting * advice.weight;
    if (!worst || worst->weight < advice.weight) worst = std::move(advice);
  }
  return worst;
}

Maybe bankConflicts(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const auto loads = metricOf(*launch, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  const auto stores = metricOf(*launch, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
  if (!loads && !stores) return std::nullopt;
  const double conflicts = loads.value_or(0) + stores.value_or(0);
  // The passes through shared memory: counted, or one per instruction and one per conflict.
  auto passes = metricOf(*launch, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
  const auto sharedLoads = metricOf(*launch, "smsp__sass_inst_executed_op_shared_ld.sum");
  const auto sharedStores = metricOf(*launch, "smsp__sass_inst_executed_op_shared_st.sum");
  if (!passes && sharedLoads && sharedStores) passes = *sharedLoads + *sharedStores + conflicts;
  if (!passes || *passes <= 0 || conflicts > *passes || conflicts < 0.2 * *passes) return std::nullopt;
  if (computeIsNearItsCeiling(one)) return std::nullopt;
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = conflicts / *passes;
  if (const auto waiting = waitingForShared(one)) advice.saves = *waiting * advice.weight;
  advice.text = fmt::format(
      "Bank conflicts: {} of the {} passes{} through shared memory are repeats, {}; pad the rows or permute "
      "the indices",
      formatScaled(conflicts, ""), formatScaled(*passes, ""), ofKernel(one, *launch),
      formatPercent(conflicts / *passes));
  advice.place = hottestLine(one, {"LDS", "STS"});
  if (advice.place.line == 0) advice.place = firstLine(one, *launch, "LDS");
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

Maybe spills(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr || launch->localBytes <= 0) return std::nullopt;
  int stores = 0, loads = 0;
  if (one.kernel->compiled)
    for (const Artifact& artifact : one.kernel->compiled->artifacts) {
      if (!artifact.dtype.empty() && artifact.dtype != one.row->definition.dtype) continue;
      stores = std::max(stores, artifact.spillStores);
      loads = std::max(loads, artifact.spillLoads);
    }
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = 0.3;
  advice.saves = waitingForMemory(one);
  if (stores + loads > 0)
    advice.text = fmt::format(
        "Spills: {} registers a thread{} were not enough, {} are stored to and {} loaded from local memory; "
        "use smaller blocks, __launch_bounds__ or fewer live values",
        launch->registers, ofKernel(one, *launch), formatBytes(stores), formatBytes(loads));
  else
    advice.text = fmt::format(
        "Local memory: {} a thread{} live outside the registers, spilled or in arrays with computed indices",
        formatBytes(static_cast<double>(launch->localBytes)), ofKernel(one, *launch));
  advice.place = hottestLine(one, {"LDL", "STL"});
  if (advice.place.line == 0) advice.place = firstLine(one, *launch, "STL");
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
