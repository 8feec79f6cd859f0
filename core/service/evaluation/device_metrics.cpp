// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/device_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/metrics/metric_formulas.h"
#include "core/model/metrics/occupancy.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

/// A number of the contract and the metric that it is. Of several rows of one key the first that is known
/// counts.
struct Row {
  const char* group;
  const char* key;
  const char* metric;
  double divisor = 1;
};

constexpr double giga = 1e9;

constexpr auto rows = std::to_array<Row>({
    {"speed_of_light", "compute_memory_throughput_pct",
     "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "compute_throughput_pct",
     "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "compute_throughput_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "sm_throughput_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "gpu_dram_throughput_pct", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "memory_throughput_pct", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "memory_throughput_pct", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"speed_of_light", "dram_throughput_pct", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"detailed_metrics", "l1_hit_rate_pct", "l1tex__t_sector_hit_rate.pct"},
    {"detailed_metrics", "l2_hit_rate_pct", "lts__t_sector_hit_rate.pct"},
    {"detailed_metrics", "warp_occupancy_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"detailed_metrics", "sm_active_cycles_pct", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"detailed_metrics", "instructions_per_cycle", "sm__inst_executed.avg.per_cycle_active"},
    {"detailed_metrics", "waves_per_sm", "launch:waves"},
    {"memory_metrics", "dram_avg_bandwidth_gb_s", "dram__bytes.avg.per_second", giga},
    {"memory_metrics", "dram_total_bandwidth_gb_s", "dram__bytes.sum.per_second", giga},
    {"memory_metrics", "dram_active_cycles_pct", "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"memory_metrics", "l1_writeback_active_pct",
     "l1tex__lsu_writeback_active.avg.pct_of_peak_sustained_elapsed"},
    {"memory_metrics", "l1_read_sectors_pct",
     "l1tex__m_xbar2l1tex_read_sectors.avg.pct_of_peak_sustained_elapsed"},
    {"memory_metrics", "l2_throughput_pct", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"compute_metrics", "fma_pipe_utilization_pct",
     "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "fp64_pipe_utilization_pct",
     "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "alu_pipe_utilization_pct",
     "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "xu_pipe_utilization_pct",
     "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "tensor_pipe_utilization_pct",
     "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "tensor_pipe_utilization_pct",
     "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"},
    {"compute_metrics", "instructions_per_cycle", "sm__inst_executed.avg.per_cycle_active"},
    {"compute_metrics", "occupancy_limit_blocks", "launch:by_blocks"},
    {"compute_metrics", "occupancy_limit_registers", "launch:by_registers"},
    {"compute_metrics", "occupancy_limit_shared_mem", "launch:by_shared"},
    {"compute_metrics", "occupancy_limit_warps", "launch:by_warps"},
    {"compute_metrics", "registers_per_thread", "launch:registers"},
    {"pipeline_metrics", "fma_pipe_active_pct",
     "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"pipeline_metrics", "alu_pipe_active_pct",
     "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"pipeline_metrics", "tensor_pipe_active_pct",
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"pipeline_metrics", "shared_pipe_active_pct",
     "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"pipeline_metrics", "fp64_pipe_active_pct",
     "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"pipeline_metrics", "sm_issue_active_pct", "sm__issue_active.avg.pct_of_peak_sustained_elapsed"},
    {"occupancy_metrics", "occupancy_limit_registers", "launch:by_registers"},
    {"occupancy_metrics", "occupancy_limit_shared_mem", "launch:by_shared"},
    {"occupancy_metrics", "occupancy_limit_warps", "launch:by_warps"},
    {"occupancy_metrics", "occupancy_limit_blocks", "launch:by_blocks"},
    {"occupancy_metrics", "waves_per_sm", "launch:waves"},
    {"occupancy_metrics", "block_size", "launch:block"},
    {"occupancy_metrics", "grid_size", "launch:grid"},
    {"occupancy_metrics", "shared_mem_per_block", "launch:shared"},
    {"stall_metrics", "stall_long_scoreboard_pct",
     "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"},
    {"stall_metrics", "stall_short_scoreboard_pct",
     "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct"},
    {"stall_metrics", "stall_barrier_pct", "smsp__warp_issue_stalled_barrier_per_warp_active.pct"},
    {"stall_metrics", "stall_not_selected_pct", "smsp__warp_issue_stalled_not_selected_per_warp_active.pct"},
    {"scheduler_metrics", "warps_eligible_per_cycle", "smsp__warps_eligible.avg.per_cycle_active"},
    {"scheduler_metrics", "inst_issued_per_cycle", "smsp__inst_issued.avg.per_cycle_active"},
    {"scheduler_metrics", "issue_active_pct", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {"access_pattern_metrics", "l1_load_sectors_per_req", "derived__sectors_per_request_global_load"},
    {"access_pattern_metrics", "l1_store_sectors_per_req", "derived__sectors_per_request_global_store"},
    {"access_pattern_metrics", "shared_bank_conflicts_load_sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"access_pattern_metrics", "shared_bank_conflicts_store_sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"roofline_metrics", "flop_count_total", "derived__flop"},
    {"roofline_metrics", "dram_bytes_sum", "derived__dram_bytes"},
    {"roofline_metrics", "arithmetic_intensity", "derived__arithmetic_intensity"},
    {"roofline_metrics", "gflops", "derived__flop_per_second", giga},
    {"timing_metrics", "gpu_time_duration_sum", "gpu__time_duration.sum"},
    {"timing_metrics", "gpu_time_duration_seconds", "gpu__time_duration.sum", giga},
    {"timing_metrics", "gpc_cycles_elapsed_max", "gpc__cycles_elapsed.max"},
});

std::int64_t product(const std::array<int, 3>& sizes) {
  return std::int64_t{sizes[0]} * sizes[1] * sizes[2];
}

/// What the launch itself says, under names of our own.
std::vector<MetricValue> launchValues(const Launch& launch, const Target& target) {
  const std::int64_t shared = launch.staticShared + launch.dynamicShared, blocks = product(launch.grid);
  const auto threads = static_cast<int>(product(launch.block));
  std::vector<MetricValue> values{{"launch:block", static_cast<double>(threads)},
                                  {"launch:grid", static_cast<double>(blocks)},
                                  {"launch:shared", static_cast<double>(shared)},
                                  {"launch:registers", static_cast<double>(launch.registers)}};
  const auto limits = limitsOf(target.architecture);
  if (!limits) return values;
  const Occupancy held = occupancy(*limits, threads, launch.registers, shared);
  values.push_back({"launch:by_registers", static_cast<double>(held.byRegisters)});
  values.push_back({"launch:by_shared", static_cast<double>(held.byShared)});
  values.push_back({"launch:by_warps", static_cast<double>(held.byWarps)});
  values.push_back({"launch:by_blocks", static_cast<double>(held.byBlocks)});
  if (held.blocks > 0 && target.multiprocessors > 0)
    values.push_back({"launch:waves", waves(blocks, held.blocks, target.multiprocessors)});
  return values;
}

std::optional<double> valueIn(const std::vector<MetricValue>& values, std::string_view name) {
  for (const MetricValue& each : values)
    if (each.name == name && std::isfinite(each.value)) return each.value;
  return std::nullopt;
}

}  // namespace

Json deviceMetrics(const SideProfile& profile, const Target& target) {
  if (profile.launches.empty()) return nullptr;
  const auto longest =
      std::max_element(profile.launches.begin(), profile.launches.end(),
                       [](const Launch& a, const Launch& b) { return a.seconds < b.seconds; });
  const std::vector<MetricValue> ofCall = metricsOfCall(profile.launches);
  std::vector<MetricValue> ofLaunch = longest->metrics;
  addDerived(ofLaunch);
  const std::vector<MetricValue> itself = launchValues(*longest, target);
  Json groups = Json::object();
  for (const Row& row : rows) {
    std::optional<double> value = valueIn(itself, row.metric);
    if (!value) value = valueIn(ofCall, row.metric);
    if (!value) value = valueIn(ofLaunch, row.metric);
    if (!value || (groups.contains(row.group) && groups[row.group].contains(row.key))) continue;
    groups[row.group][row.key] = *value / row.divisor;
    if (std::string_view(row.key) == "gpu_time_duration_sum")
      groups[row.group]["gpu_time_duration_unit"] = "ns";
    if (std::string_view(row.key) == "gpc_cycles_elapsed_max")
      groups[row.group]["gpc_cycles_elapsed_unit"] = "cycle";
  }
  return groups;
}

}  // namespace wb
