// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/operators/operator_name.h"
#include "core/model/plan/tolerances.h"

namespace wb::fake {

namespace {

Case madeUp(const std::string& op, std::uint32_t index) {
  static constexpr std::array<std::string_view, 3> types{"f32", "f16", "bf16"};
  const std::string dtype(types[index % types.size()]);
  const int size = 1 << (4 + index % 7);
  Case made;
  made.op = op;
  made.args = fmt::format("((T([{}, {}], {}),), {{}})", size, size + 1, dtype);
  made.shapes = fmt::format("{}×{}", size, size + 1);
  made.dtype = dtype;
  made.seed = index;
  made.origin = {"fake.txt", static_cast<int>(index) + 1, 1};
  return made;
}

/// The worker that a log was written by, so that a replay is that worker in all.
std::optional<Target> recordedTarget(const Options& options) {
  if (options.script.empty()) return std::nullopt;
  const Result<std::string> log = readFile(options.script);
  if (!log) return std::nullopt;
  std::istringstream lines(*log);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"JobStarted\"") == std::string::npos) continue;
    const auto content = parseJson(line);
    const Result<Event> event = content ? eventFromJson(*content) : Result<Event>(content.error());
    const auto* started = event ? std::get_if<JobStarted>(&*event) : nullptr;
    if (started != nullptr && started->target.device == options.device) return started->target;
  }
  return std::nullopt;
}

/// As the real worker judges tensors of floats.
Bounds boundsOf(const Job& job) {
  const Tolerance& tolerance = job.tolerance;
  if (job.checking.likeBackendBench || tolerance.preset == "backendbench") return backendBenchBounds;
  return tolerance.preset == "given" ? Bounds{tolerance.rtol, tolerance.atol} : float32Bounds;
}

}  // namespace

Target target(const Options& options) {
  if (const auto recorded = recordedTarget(options)) return *recorded;
  const bool gpu = options.device.starts_with("cuda");
  Target target;
  target.device = options.device;
  target.deviceName = gpu ? "Fake GPU" : "Fake CPU";
  target.architecture = gpu ? "sm_90" : "x86-64";
  target.torch = "2.11.0+fake";
  target.driver = gpu ? "580.00" : "";
  target.host = "fake-host";
  if (!gpu) return target;
  target.uuid = "GPU-fake";
  target.multiprocessors = 132;
  target.l2Bytes = 50 << 20;
  target.memoryBytes = std::int64_t{80} << 30;
  if (options.mode == "counters-refused")
    target.counters = "the driver keeps counters to administrators (ERR_NVGPUCTRPERM); ask for access";
  return target;
}

Compiled compiled(const Job& job, std::uint32_t kernel, const Options& options) {
  const KernelSource& source = job.kernels[kernel];
  Compiled result;
  result.op = schemaName(source.op.empty() ? std::filesystem::path(source.path).stem().string() : source.op);
  result.schema = result.op + "(Tensor self) -> Tensor";
  result.seconds = 0.42;
  result.toolchain = "fake compiler 1.0";
  result.artifacts = {{baseName(result.op), "", target(options).architecture, 0, 0, 0, 0, 4096, ""}};
  for (const Case& one : job.cases)
    if (matches(result.op, one.op)) result.cases.push_back(one);
  if (options.cases > 0) result.cases.resize(std::min(result.cases.size(), std::size_t(options.cases)));
  const std::size_t wanted = options.cases > 0 ? std::size_t(options.cases) : 12;
  if (options.cases > 0 || result.cases.empty())
    while (result.cases.size() < wanted)
      result.cases.push_back(madeUp(result.op, static_cast<std::uint32_t>(result.cases.size())));
  return result;
}

CaseCheck check(const Job& job, std::uint32_t index, const Options& options) {
  CaseCheck result;
  result.verdict = Verdict::pass;
  const Bounds bounds = boundsOf(job);
  result.rtol = bounds.rtol;
  result.atol = bounds.atol;
  result.seconds = 0.001 * (1 + index % 7);
  ErrorFigures& errors = result.errors.emplace();
  errors.maxAbs = 1e-8 * index;
  errors.maxRel = 2e-8 * index;
  errors.maxUlp = index % 3 * 0.5;
  errors.elements = 1000;
  if (options.mismatch < 0 || index != static_cast<std::uint32_t>(options.mismatch)) return result;
  result.verdict = Verdict::mismatch;
  result.message = "3 of 1000 elements are over tolerance";
  errors.maxAbs = 0.5;
  errors.maxRel = 0.25;
  errors.maxUlp = 4096;
  errors.mismatches = 3;
  errors.firstBadIndex = "[3, 17]";
  errors.expected = "2.0";
  errors.actual = "1.5";
  WrongElements wrong;
  wrong.shape = wrong.cells = {2, 20, 25};
  wrong.map.assign(1000, '.');
  for (const std::size_t at : {92U, 117U, 999U}) {
    wrong.map[at] = at == 999U ? 'z' : 'd';
    wrong.elements.push_back(
        {static_cast<std::int64_t>(at), "2.0", at == 999U ? "nan" : "1.5", "2", 0.5, true});
  }
  result.wrong.emplace(std::move(wrong));
  return result;
}

CaseTiming timing(std::uint32_t index) {
  std::mt19937 random(index);
  std::uniform_real_distribution<double> noise(0.985, 1.015);
  const double reference = 8e-6 * (1 + index % 13);
  const double candidate = reference / (0.7 + 0.2 * (index % 8));
  CaseTiming result;
  result.time = "call";
  result.clock = "wall clock";
  result.warmups = 2;
  result.callsPerSample = 1;
  std::vector<double> references, candidates;
  for (int i = 0; i < 40; ++i) {
    Block block;
    for (double& sample : block.reference) references.push_back(sample = reference * noise(random));
    for (double& sample : block.candidate) candidates.push_back(sample = candidate * noise(random));
    block.mirrored = i % 2 == 1;
    result.blocks.push_back(block);
  }
  result.reference = median(references);
  result.candidate = median(candidates);
  if (Result<Speedup> speedup = compare(result.blocks)) result.speedup = *speedup;
  return result;
}

namespace {

/// Between 0 and 1, of a name.
double share(std::string_view name) {
  return static_cast<double>(std::hash<std::string_view>{}(name) % 9973) / 9973;
}

double madeUpMetric(const std::string& name, Side side) {
  const MetricInfo* info = metricInfo(name);
  if (info == nullptr) return 1;
  const double factor = side == Side::candidate ? 1 : 1.3;
  if (info->unit == "%") return 70 * share(name) * factor;
  if (info->unit == "ns") return 12000 * factor;
  if (info->unit == "B") return 1e7 * (1 + share(name)) * factor;
  if (info->unit.ends_with("/s")) return 1e12 * (1 + share(name));
  if (info->unit.find('/') != std::string::npos) return 4 * share(name);
  return std::floor(1e6 * share(name) * factor);
}

}  // namespace

SideProfile profile(const Job& job, std::uint32_t kernel, Side side) {
  const bool ours = side == Side::candidate;
  SideProfile result;
  Launch& launch = result.launches.emplace_back();
  launch.function = ours ? "fake_kernel" : "_Z14fake_referencePf";
  launch.kernel = ours ? "fake_kernel(float*)" : "fake_reference(float*)";
  launch.grid = {264, 1, 1};
  launch.block = {256, 1, 1};
  launch.registers = 40;
  launch.seconds = ours ? 11e-6 : 14e-6;
  launch.stream = 7;
  for (const std::string& name : metricsOf(job.profile.sections))
    launch.metrics.push_back({name, madeUpMetric(name, side)});
  result.passes = 4;
  result.caches = job.profile.caches == CacheState::unknown ? CacheState::cold : job.profile.caches;
  result.seconds = 0.08;
  if (job.profile.timeline)
    result.activities = {{ActivityKind::api, "cuLaunchKernel", 0, 3e-6, 0, 0},
                         {ActivityKind::kernel, launch.kernel, 4e-6, launch.seconds, 7, 0}};
  if (!ours || !job.profile.lines) return result;
  const std::string& path = job.kernels[kernel].path;
  result.samples = {{launch.function, 0x10, {path, 1, 0}, {{"long_scoreboard", 700}, {"selected", 50}}},
                    {launch.function, 0x20, {path, 2, 0}, {{"barrier", 200}, {"wait", 50}}}};
  result.samplingPeriod = 1024;
  return result;
}

Listing listing(const Job& job, std::uint32_t kernel, const std::string& function) {
  const bool second = job.kernels[kernel].text.find('\n') != std::string::npos;
  return {function,
          function + "(float*)",
          "sm_90",
          {{0x0, "S2R R0, SR_TID.X ;", 1, ""},
           {0x10, "LDG.E R2, [R2.64] ;", 1, ""},
           {0x20, "BAR.SYNC.DEFER_BLOCKING 0x0 ;", second ? 2 : 1, ""},
           {0x30, "EXIT ;", 0, ""}}};
}

}  // namespace wb::fake
