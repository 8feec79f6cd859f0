// SPDX-License-Identifier: Apache-2.0
#include "tests/core/figures/profile_values.h"

#include <fmt/format.h>

#include <utility>

namespace wb::samples {

namespace {

PcSample sample(std::uint64_t offset, int line, std::vector<StallSamples> stalls) {
  return {"softmax", offset, {line > 0 ? "kernels/softmax.cu" : "", line, 0}, std::move(stalls)};
}

std::vector<PcSample> softmaxSamples() {
  return {
      sample(0x110, 11, {{"long_scoreboard", 310}, {"selected", 21}, {"long_scoreboard_not_issued", 300}}),
      sample(0x150, 13, {{"barrier", 96}}),
      sample(0x1f0, 14, {{"long_scoreboard", 720}, {"selected", 40}, {"not_selected", 12}}),
      sample(0x220, 14, {{"math_pipe_throttle", 33}, {"wait", 18}}),
      sample(0x310, 16, {{"lg_throttle", 260}, {"drain", 44}, {"unheard_of", 2}}),
      sample(0x330, 0, {{"branch_resolve", 7}})};
}

}  // namespace

Target h100(std::string counters) {
  return {.device = "cuda:0",
          .deviceName = "NVIDIA H100 80GB HBM3",
          .architecture = "sm_90",
          .torch = "2.11.0+cu130",
          .driver = "580.82.07",
          .host = "bench-7",
          .uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff",
          .multiprocessors = 132,
          .l2Bytes = 52428800,
          .memoryBytes = 84942979072,
          .counters = std::move(counters)};
}

Ceilings h100Ceilings() {
  Ceilings c;
  c.uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff";
  c.measuredAt = "2026-01-02T03:00:00Z";
  c.dramBytesPerSecond = 3.02e12;
  c.l2BytesPerSecond = 7.4e12;
  c.l1BytesPerSecond = 2.7e13;
  c.sharedBytesPerSecond = 3.1e13;
  c.fp64 = 3.2e13;
  c.fp32 = 6.1e13;
  c.fp16Tensor = 7.2e14;
  c.bf16Tensor = 7.3e14;
  c.tf32Tensor = 3.6e14;
  c.launchSeconds = 1.4e-6;
  c.evicted = 0.998;
  return c;
}

Case caseOf(std::string op, std::string args, std::string shapes, std::string dtype, int line) {
  Case one;
  one.op = std::move(op);
  one.args = std::move(args);
  one.shapes = std::move(shapes);
  one.dtype = std::move(dtype);
  one.seed = static_cast<std::uint64_t>(line);
  one.origin = {"smoke.txt", line, 1};
  return one;
}

CaseCheck good() {
  CaseCheck check;
  check.verdict = Verdict::pass;
  check.errors.emplace().maxAbs = 3.1e-8;
  check.errors->elements = 33554432;
  check.rtol = 1.3e-6;
  check.atol = 1e-5;
  check.seconds = 0.01;
  return check;
}

CaseTiming timed(double reference, double ratio, double halfWidth, double floor) {
  CaseTiming timing;
  timing.reference = reference;
  timing.candidate = reference / ratio;
  timing.speedup = {ratio, ratio * (1 - halfWidth), ratio * (1 + halfWidth),
                    ratio > 1.02 ? Pace::faster : Pace::same};
  timing.time = "kernel";
  timing.caches = CacheState::cold;
  timing.clock = "CUPTI's records";
  timing.callsPerSample = 1;
  timing.kernel = {reference, timing.candidate};
  timing.kernelHot = {reference * 0.7, timing.candidate * 0.72};
  timing.step = {reference * 0.99, timing.candidate * 0.985};
  timing.stepCaches = CacheState::cold;
  timing.call = {reference + 9.4e-6, timing.candidate + 8.1e-6};
  timing.host = {6.1e-6, 4.2e-6};
  timing.events = {reference * 1.004, timing.candidate * 1.003};
  timing.tick = 32e-9;
  timing.empty = 1.2e-6;
  timing.joules = {0.081, 0.062};
  timing.floor = floor;
  timing.floorBy = "268 MB over 3.02 TB/s";
  timing.math = "TF32 off, reduced-precision sums on";
  timing.launched = {{"kernel", "softmax", 1, 9e-6}};
  for (int b = 0; b < 4; ++b) {
    timing.blocks.push_back(
        {{reference * 0.999, reference * 1.001}, {timing.candidate, timing.candidate}, b % 2 == 1});
    timing.conditions.push_back({1.98e9, 2.619e9, 540.0 + 20 * b, 44.0 + b, b == 3 ? "power cap" : ""});
  }
  timing.dropped = 1;
  return timing;
}

std::vector<MetricValue> metrics(const LaunchCounts& c) {
  std::vector<MetricValue> all = {
      {"dram__throughput.avg.pct_of_peak_sustained_elapsed", c.dram},
      {"gpu__time_duration.sum", c.microseconds * 1e3},
      {"l1tex__t_sector_hit_rate.pct", 33.1},
      {"lts__t_sector_hit_rate.pct", 41.7},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", c.warps},
      {"sm__inst_executed.avg.per_cycle_active", 1.27},
      {"dram__bytes_read.sum", c.dramRead},
      {"dram__bytes_write.sum", c.dramWritten},
      {"lts__t_bytes.sum", 1.4 * (c.dramRead + c.dramWritten)},
      {"l1tex__t_bytes.sum", 2.1 * (c.dramRead + c.dramWritten)},
      {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", c.tensor},
      {"smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct", c.longScoreboard},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", c.loadSectors},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", c.loadRequests},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", c.storeSectors},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", c.storeRequests},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", c.conflicts},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0},
      {"smsp__sass_inst_executed_op_shared_ld.sum", c.sharedLoads},
      {"smsp__sass_inst_executed_op_shared_st.sum", c.sharedLoads / 16},
      {"smsp__inst_executed.sum", 18350080},
      {"sm__cycles_elapsed.max", c.microseconds * 1980},
      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", c.fadd},
      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", c.ffma},
      {"my__own_metric.sum", 3}};
  for (const char* half : {"hadd", "hmul", "hfma", "dadd", "dmul", "dfma"})
    all.push_back({fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", half), 0});
  if (c.tensor > 0) {
    all.push_back({"sm__ops_path_tensor_src_fp16.sum", 1.37e11});
    all.push_back({"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 0});
    all.push_back({"sm__ops_path_tensor_src_tf32_dst_fp32.sum", 0});
  }
  return all;
}

Launch launch(std::string function, std::string kernel, std::array<int, 3> grid, std::array<int, 3> block,
              int registers, double seconds) {
  Launch one;
  one.function = std::move(function);
  one.kernel = std::move(kernel);
  one.grid = grid;
  one.block = block;
  one.registers = registers;
  one.seconds = seconds;
  one.stream = 7;
  return one;
}

Listing softmaxListing() {
  return {"softmax",
          "softmax(float const*, float*, long)",
          "sm_90",
          {{0x0, "LDC R1, c[0x0][0x28] ;", 7, ""},
           {0x110, "LDG.E R4, [R2.64] ;", 11, ""},
           {0x150, "BAR.SYNC.DEFER_BLOCKING 0x0 ;", 13, ""},
           {0x1f0, "@!P0 LDG.E R6, [R2.64] ;", 14, ""},
           {0x220, "MUFU.EX2 R8, R8 ;", 14, "math_functions.hpp"},
           {0x310, "STG.E [R10.64], R12 ;", 16, ""},
           {0x330, "EXIT ;", 0, ""}}};
}

SideProfile softmaxCandidate() {
  SideProfile side;
  side.launches = {launch("softmax", "softmax", {8192, 1, 1}, {256, 1, 1}, 32, 96.2e-6)};
  side.launches[0].staticShared = 1024;
  LaunchCounts c;
  c.microseconds = 98.1;
  c.dramRead = 136.2e6;
  c.dramWritten = 134.1e6;
  c.fadd = 67.1e6;
  c.ffma = 134.2e6;
  c.loadSectors = 8388608;
  c.loadRequests = 2097152;
  c.storeSectors = 33554432;
  c.storeRequests = 1048576;
  c.warps = 87.3;
  c.dram = 84.6;
  c.longScoreboard = 61.2;
  side.launches[0].metrics = metrics(c);
  side.launches[0].metrics.push_back({"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 12.5});
  side.passes = 4;
  side.caches = CacheState::cold;
  side.seconds = 0.081;
  side.missing = {"smsp__warp_issue_stalled_gmma_per_warp_active.pct", "no__such_metric.sum"};
  side.activities = {{ActivityKind::api, "cuLaunchKernel", 0, 4.1e-6, 0, 0},
                     {ActivityKind::kernel, "softmax", 6.3e-6, 96.2e-6, 7, 0},
                     {ActivityKind::api, "cudaDeviceSynchronize", 5.0e-6, 98.9e-6, 0, 0}};
  side.samples = softmaxSamples();
  side.droppedSamples = 12;
  side.samplingPeriod = 1024;
  return side;
}

SideProfile softmaxReference() {
  SideProfile side;
  side.launches = {launch("_ZN2at6native12cunn_SoftMaxILi4EEEvPfPKfi",
                          "void at::native::cunn_SoftMax<4, float>(float*, float const*, int)", {8192, 1, 1},
                          {1024, 1, 1}, 40, 131.0e-6)};
  side.launches[0].dynamicShared = 128;
  LaunchCounts c;
  c.microseconds = 133.4;
  c.dramRead = 134.3e6;
  c.dramWritten = 134.2e6;
  c.fadd = 67.1e6;
  c.ffma = 167.7e6;
  c.loadSectors = 12582912;
  c.loadRequests = 786432;
  c.storeSectors = 4194304;
  c.storeRequests = 262144;
  c.warps = 71.0;
  c.dram = 62.4;
  c.longScoreboard = 48.9;
  side.launches[0].metrics = metrics(c);
  side.passes = 4;
  side.caches = CacheState::cold;
  side.seconds = 0.09;
  side.activities = {{ActivityKind::api, "cudaLaunchKernel", 0, 5.2e-6, 0, 0},
                     {ActivityKind::fill, "fill", 6.0e-6, 1.1e-6, 7, 4096},
                     {ActivityKind::kernel, "cunn_SoftMax<4, float>", 9.4e-6, 131.0e-6, 7, 0}};
  return side;
}

}  // namespace wb::samples
