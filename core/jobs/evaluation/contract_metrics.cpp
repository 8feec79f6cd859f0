// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/contract_metrics.h"

#include <algorithm>
#include <array>

#include "core/model/metrics/metric_catalogue.h"

namespace wb {
namespace {

constexpr double giga = 1e9;

constexpr auto rows = std::to_array<ContractMetric>({
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

}  // namespace

std::span<const ContractMetric> contractMetrics() {
  return rows;
}

std::vector<std::string> countedMetrics() {
  std::vector<std::string> names;
  for (const ContractMetric& row : rows)
    if (metricInfo(row.metric) != nullptr && std::find(names.begin(), names.end(), row.metric) == names.end())
      names.emplace_back(row.metric);
  return names;
}

}  // namespace wb
