// SPDX-License-Identifier: Apache-2.0
#include "tests/core/figures/profile_sample.h"

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "tests/core/figures/profile_values.h"
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
  LaunchCounts c;
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
