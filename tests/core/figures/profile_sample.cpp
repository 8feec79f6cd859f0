// SPDX-License-Identifier: Apache-2.0
#include "tests/core/figures/profile_sample.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "core/model/metrics/metric_formulas.h"
#include "tests/core/model/steps.h"

namespace wb::samples {

namespace {

constexpr std::string_view softmaxSource = R"cu(/* warpbench
operator = "aten::softmax.int"
args = ["self", "out", "size(self, 1)"]
grid = ["size(self, 0)"]
block = [256]
*/
extern "C" __global__ void softmax(const scalar_t* in, scalar_t* out, long columns) {
  __shared__ float scratch[256];
  const scalar_t* row = in + blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (long i = threadIdx.x; i < columns; i += 256) most = fmaxf(most, row[i]);
  scratch[threadIdx.x] = most;
  __syncthreads();
  for (long i = threadIdx.x; i < columns; i += 256) sum += expf(row[i] - most);
  for (long i = threadIdx.x; i < columns; i += 256)
    out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}
)cu";

constexpr std::string_view mmSource = R"cu(/* warpbench
operator = "aten::mm"
args = ["self", "mat2", "out"]
*/
extern "C" __global__ void mm(const scalar_t* a, const scalar_t* b, scalar_t* c) {
  __shared__ scalar_t tile[32][32];
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += float(tile[threadIdx.x][k]) * float(b[k]);
  c[threadIdx.x] = sum;
}
)cu";

Target h100(std::string counters = {}) {
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
  timing.ran = {"softmax ×1"};
  for (int b = 0; b < 4; ++b) {
    timing.blocks.push_back(
        {{reference, reference * 1.01}, {timing.candidate, timing.candidate}, b % 2 == 1});
    timing.conditions.push_back({1.98e9, 2.619e9, 540.0 + 20 * b, 44.0 + b, b == 3 ? "power cap" : ""});
  }
  timing.dropped = 1;
  return timing;
}

struct Counts {
  double microseconds = 0, dramRead = 0, dramWritten = 0, ffma = 0, fadd = 0;
  double loadSectors = 0, loadRequests = 0, storeSectors = 0, storeRequests = 0;
  double warps = 0, dram = 0, longScoreboard = 0, conflicts = 0, sharedLoads = 0, tensor = 0;
};

/// What the quick set counts of one launch.
std::vector<MetricValue> metrics(const Counts& c) {
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
  Counts c;
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
  Counts c;
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

Job jobOf(std::string path, std::string_view source, std::string device) {
  Job job;
  job.kernels = {{.path = std::move(path),
                  .text = std::string(source),
                  .language = "raw_cuda",
                  .op = "",
                  .referencePath = "",
                  .referenceText = ""}};
  job.suite = "smoke";
  job.stages = {Stage::check, Stage::time, Stage::profile};
  job.seed = 42;
  job.device = std::move(device);
  return job;
}

Compiled compiledOf(std::string op, const std::string& function, const std::string& dtype, int registers,
                    std::vector<Case> cases) {
  Compiled compiled;
  compiled.op = std::move(op);
  compiled.schema = compiled.op + "(Tensor self, …) -> Tensor";
  compiled.seconds = 0.021;
  compiled.toolchain = "NVRTC 13.0";
  compiled.artifacts = {{function, dtype, "sm_90", registers, 0, 0, 1024, 5320, ".version 9.0"}};
  compiled.cases = std::move(cases);
  return compiled;
}

constexpr std::string_view start = "2026-01-02T03:04:05Z";
constexpr std::string_view refusal =
    "the driver keeps device counters to administrators (ERR_NVGPUCTRPERM): load the nvidia module with "
    "NVreg_RestrictProfilingToAdminUsers=0, or run with CAP_SYS_ADMIN";

Run softmaxStart(Target target) {
  Run run{jobOf("kernels/softmax.cu", softmaxSource, "cuda:0"), {}};
  run.events = {JobStarted{std::move(target), std::string(start)}, DeviceMeasured{h100Ceilings()},
                StepStarted{Stage::compile, 0, {}}};
  run.events.emplace_back(compiledStep(
      compiledOf("aten::softmax.int", "softmax", "f32", 32,
                 {caseOf("aten::softmax.int", "((T([8192, 4096], f32), 1), {})", "8192×4096", "f32", 3),
                  caseOf("aten::softmax.int", "((T([128, 64], f32), 1), {})", "128×64", "f32", 4)})));
  for (const std::uint32_t i : {0U, 1U}) {
    run.events.emplace_back(StepStarted{Stage::check, 0, i});
    run.events.emplace_back(StepDone{Stage::check, 0, i, good()});
  }
  run.events.emplace_back(StepStarted{Stage::time, 0, 0});
  run.events.emplace_back(StepDone{Stage::time, 0, 0, timed(133.2e-6, 1.357, 0.004, 88.9e-6)});
  run.events.emplace_back(StepStarted{Stage::time, 0, 1});
  run.events.emplace_back(StepDone{Stage::time, 0, 1, timed(4.41e-6, 1.002, 0.002, 0)});
  return run;
}

}  // namespace

Run profiledRun() {
  Run run = softmaxStart(h100());
  run.events.emplace_back(StepStarted{Stage::profile, 0, 0});
  run.events.emplace_back(
      StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, softmaxCandidate(), false}});
  run.events.emplace_back(
      StepDone{Stage::profile, 0, 0, ProfilePart{Side::reference, softmaxReference(), true}});
  run.events.emplace_back(StepDone{Stage::profile, 0, {}, Listed{{softmaxListing()}}});
  run.events.emplace_back(Finished{Outcome::finished, 1.42});
  return run;
}

Run refusedRun() {
  Run run = softmaxStart(h100(std::string(refusal)));
  SideProfile ours = softmaxCandidate(), theirs = softmaxReference();
  for (SideProfile* side : {&ours, &theirs}) {
    for (Launch& one : side->launches) one.metrics.clear();
    side->samples.clear();
    side->missing.clear();
    side->passes = 0;
    side->caches = CacheState::unknown;
  }
  ours.notes = {"Counters and samples were refused: " + std::string(refusal)};
  run.events.emplace_back(StepStarted{Stage::profile, 0, 0});
  run.events.emplace_back(StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, ours, false}});
  run.events.emplace_back(StepDone{Stage::profile, 0, 0, ProfilePart{Side::reference, theirs, true}});
  run.events.emplace_back(Finished{Outcome::finished, 1.1});
  return run;
}

Run severalLaunchesRun() {
  Run run{jobOf("kernels/mm.cu", mmSource, "cuda:0"), {}};
  run.job.profile.cases = 2;
  run.job.profile.sections = {"all"};
  run.events = {JobStarted{h100(), std::string(start)}, DeviceMeasured{h100Ceilings()},
                StepStarted{Stage::compile, 0, {}}};
  Compiled compiled = compiledOf(
      "aten::mm", "mm", "f16", 128,
      {caseOf("aten::mm", "((T([4096, 4096], f16), T([4096, 4096], f16)), {})", "4096×4096, 4096×4096", "f16",
              9),
       caseOf("aten::mm", "((T([64, 64], f16), T([64, 64], f16)), {})", "64×64, 64×64", "f16", 10)});
  compiled.artifacts[0].spillLoads = 96;
  compiled.artifacts[0].spillStores = 64;
  run.events.emplace_back(compiledStep(std::move(compiled)));
  for (const std::uint32_t i : {0U, 1U}) {
    run.events.emplace_back(StepStarted{Stage::check, 0, i});
    run.events.emplace_back(StepDone{Stage::check, 0, i, good()});
  }
  SideProfile ours, theirs;
  ours.launches = {launch("_Z3padPK6__half", "pad(__half const*)", {512, 1, 1}, {256, 1, 1}, 16, 3.1e-6),
                   launch("mm", "mm", {140, 1, 1}, {256, 1, 1}, 128, 2.2e-3),
                   launch("_Z3cutPK6__half", "cut(__half const*)", {512, 1, 1}, {256, 1, 1}, 16, 2.9e-6)};
  ours.launches[1].staticShared = 65536;
  ours.launches[1].localBytes = 96;
  Counts c;
  c.microseconds = 2200;
  c.dramRead = 67e6;
  c.dramWritten = 33e6;
  c.ffma = 6.87e10;
  c.loadSectors = 4e8;
  c.loadRequests = 1e8;
  c.storeSectors = 1e6;
  c.storeRequests = 5e5;
  c.warps = 24.1;
  c.dram = 2.1;
  c.longScoreboard = 12.1;
  c.conflicts = 4.1e8;
  c.sharedLoads = 1.3e8;
  ours.launches[1].metrics = metrics(c);
  c.microseconds = 3.1;
  c.ffma = 0;
  c.conflicts = 0;
  ours.launches[0].metrics = ours.launches[2].metrics = metrics(c);
  theirs.launches = {launch("sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64",
                            "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64", {32, 32, 1},
                            {384, 1, 1}, 168, 0.21e-3)};
  theirs.launches[0].dynamicShared = 230400;
  c.microseconds = 210;
  c.tensor = 88.2;
  theirs.launches[0].metrics = metrics(c);
  for (SideProfile* side : {&ours, &theirs}) {
    double at = 3e-6;
    for (const Launch& one : side->launches) {
      side->activities.push_back({ActivityKind::kernel, one.kernel, at, one.seconds, 7, 0});
      at += one.seconds + 2e-6;
    }
  }
  run.events.emplace_back(StepStarted{Stage::profile, 0, 0});
  run.events.emplace_back(StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, ours, false}});
  run.events.emplace_back(StepDone{Stage::profile, 0, 0, ProfilePart{Side::reference, theirs, true}});
  run.events.emplace_back(StepDone{Stage::profile, 0, 1, NoResult{"the worker was asked to stop"}});
  run.events.emplace_back(Finished{Outcome::finished, 3.3});
  return run;
}

Run staticRun() {
  Run run{jobOf("kernels/softmax.cu", softmaxSource, "cpu"), {}};
  run.events = {JobStarted{{.device = "cpu",
                            .deviceName = "AMD EPYC 9B14",
                            .architecture = "x86-64",
                            .torch = "2.11.0+cu130",
                            .driver = "",
                            .host = "bench-7",
                            .uuid = "",
                            .counters = ""},
                           std::string(start)},
                StepStarted{Stage::compile, 0, {}}};
  Compiled compiled = compiledOf("aten::softmax.int", "softmax", "f32", 32, {});
  compiled.note = "Compiled for sm_90; not run: this machine has no GPU";
  compiled.runs = false;
  run.events.emplace_back(compiledStep(std::move(compiled)));
  run.events.emplace_back(StepDone{Stage::profile, 0, {}, Listed{{softmaxListing()}}});
  run.events.emplace_back(Finished{Outcome::finished, 0.06});
  return run;
}

Report folded(const Run& run) {
  Report report = startReport(run.job);
  for (const Event& event : run.events) fold(report, event);
  return report;
}

std::string eventLog(const Run& run) {
  std::string text = dump(toJson(run.job)) + "\n";
  for (const Event& event : run.events) text += dump(toJson(event)) + "\n";
  return text;
}

Result<Run> runFromLog(std::string_view text) {
  Run run;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty()) continue;
    const auto at = [&](Error error) {
      error.place.line = number;
      return error;
    };
    const auto json = parseJson(line);
    if (!json) return at(json.error());
    if (number == 1) {
      auto job = jobFromJson(*json);
      if (!job) return at(job.error());
      run.job = std::move(*job);
      continue;
    }
    auto event = eventFromJson(*json);
    if (!event) return at(event.error());
    run.events.push_back(std::move(*event));
  }
  return run;
}

}  // namespace wb::samples
