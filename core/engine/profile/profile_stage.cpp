// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/profile_stage.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include "core/engine/cases/inputs.h"
#include "core/engine/cupti/activity.h"
#include "core/engine/cupti/counters.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/cupti/pc_sampling.h"
#include "core/engine/device/driver.h"
#include "core/engine/profile/cache_eviction.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One side of the case: its call, and what is known of it so far.
struct Profiled {
  Stack arguments;
  /// Copies of the arguments that the operator may change, in the order of their positions.
  Stack pristine;
  std::unique_ptr<PreparedCall> call;
  std::vector<Launch> launches;
  double deviceSeconds = 0;
};

class CaseProfiler {
 public:
  CaseProfiler(const KernelContext& kernel, const Case& definition, const ProfileRequest& request,
               const OnPart& onPart)
      : kernel_(kernel), definition_(definition), request_(request), onPart_(onPart) {}
  Result<std::vector<std::string>> run();

 private:
  Result<void> prepare();
  Result<void> warm(Profiled& side);
  void trace(Side which, Profiled& side);
  void count();
  bool count(const std::vector<std::string>& sections);
  Result<Counted> countBoth(const std::vector<std::string>& metrics);
  void restore(Profiled& side) const;
  void sample();
  [[nodiscard]] Place ownPlace(Place place) const;
  [[nodiscard]] std::function<Result<void>()> runs(Profiled& side) const {
    return [&side] { return side.call->run(); };
  }
  [[nodiscard]] bool stopped() const { return kernel_.stop.stop_requested(); }

  const KernelContext& kernel_;
  const Case& definition_;
  const ProfileRequest& request_;
  const OnPart& onPart_;
  Literal literal_;
  Profiled candidate_, reference_;
};

void copyTensors(const c10::IValue& from, const c10::IValue& to) {
  const auto copy = [](const at::Tensor& source, const at::Tensor& target) {
    // An argument that the operator resized finds it resized: there is nothing of its size to put back.
    if (source.defined() && target.defined() && source.sizes() == target.sizes()) target.copy_(source);
  };
  if (from.isTensor() && to.isTensor()) return copy(from.toTensor(), to.toTensor());
  if (!from.isTensorList() || !to.isTensorList()) return;
  const std::vector<at::Tensor> sources = from.toTensorVector(), targets = to.toTensorVector();
  for (std::size_t i = 0; i < std::min(sources.size(), targets.size()); ++i) copy(sources[i], targets[i]);
}

SideProfile noted(const Error& error) {
  SideProfile part;
  part.notes.push_back(describe(error));
  return part;
}

Result<void> CaseProfiler::prepare() {
  WB_TRY(literal_, parseLiteral(definition_.args));
  Result<Stack> inputs =
      makeInputs(kernel_, definition_, literal_, mixSeeds(kernel_.job.seed, definition_.seed));
  if (!inputs) return std::move(inputs).error();
  WB_TRY(const OutputPlan plan, planOutputs(kernel_.op, cloneArguments(*inputs)));
  candidate_.arguments = cloneArguments(*inputs);
  reference_.arguments = *std::move(inputs);
  for (Profiled* side : {&candidate_, &reference_}) {
    for (const std::size_t position : kernel_.mutableArguments)
      side->pristine.push_back(side->arguments[position]);
    side->pristine = cloneArguments(side->pristine);
  }
  Result<std::unique_ptr<PreparedCall>> call =
      kernel_.candidate.prepare({literal_, candidate_.arguments}, plan);
  if (!call) return std::move(call).error();
  candidate_.call = *std::move(call);
  reference_.call = prepareReference(kernel_.op, reference_.arguments);
  WB_DO(warm(candidate_));
  return warm(reference_);
}

/// Calls it once, since what only the first call does (loading, tuning, filling the allocator's cache) is not
/// of interest.
Result<void> CaseProfiler::warm(Profiled& side) {
  for (int i = 0; i < 2; ++i) {
    WB_DO(side.call->run());
    WB_DO(synchronize(Stage::profile));
  }
  return {};
}

Launch launchOf(const ActivityRecord& record) {
  Launch launch;
  launch.function = record.function;
  launch.kernel = shortKernelName(record.function);
  launch.grid = record.grid;
  launch.block = record.block;
  launch.registers = record.registers;
  launch.staticShared = record.staticShared;
  launch.dynamicShared = record.dynamicShared;
  launch.localBytes = record.localBytes;
  launch.seconds = record.seconds;
  launch.stream = record.stream;
  return launch;
}

/// Activity records leave local memory at 0 (CUPTI 13.0, with spills of 700 bytes), so it is taken from the
/// binary.
void addLocalBytes(std::vector<Launch>& launches,
                   const std::vector<std::shared_ptr<const LoadedModule>>& modules) {
  const Driver* cuda = driver();
  for (const auto& known : modules) {
    CUmodule module = nullptr;
    if (cuda->moduleLoadData(&module, known->cubin.data()) != CUDA_SUCCESS) continue;
    for (Launch& launch : launches) {
      CUfunction function = nullptr;
      int bytes = 0;
      if (cuda->moduleGetFunction(&function, module, launch.function.c_str()) == CUDA_SUCCESS &&
          cuda->funcGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function) == CUDA_SUCCESS)
        launch.localBytes = std::max<std::int64_t>(launch.localBytes, bytes);
    }
    cuda->moduleUnload(module);
  }
}

/// Puts the arguments back, so that every pass finds them as the first one did.
void CaseProfiler::restore(Profiled& side) const {
  for (std::size_t i = 0; i < side.pristine.size(); ++i)
    copyTensors(side.pristine[i], side.arguments[kernel_.mutableArguments[i]]);
}

void CaseProfiler::trace(Side which, Profiled& side) {
  const auto start = Clock::now();
  const Result<std::vector<ActivityRecord>> records = traceActivity(runs(side), request_.plan.timeline);
  if (!records) return onPart_(which, noted(records.error()));
  SideProfile part;
  for (const ActivityRecord& record : *records) {
    const bool kernel = record.kind == ActivityKind::kernel;
    if (kernel) side.launches.push_back(launchOf(record));
    if (record.kind != ActivityKind::api) side.deviceSeconds += record.seconds;
    if (request_.plan.timeline)
      part.activities.push_back({record.kind, kernel ? side.launches.back().kernel : record.function,
                                 record.start, record.seconds,
                                 record.kind == ActivityKind::api ? 0 : record.stream, record.bytes});
  }
  if (which == Side::candidate) addLocalBytes(side.launches, request_.modules());
  part.launches = side.launches;
  part.seconds = since(start);
  if (side.launches.empty())
    part.notes.emplace_back("This call launches no kernel: there is nothing to count.");
  onPart_(which, std::move(part));
}

void addMetric(Launch& launch, MetricValue value) {
  const bool known = std::any_of(launch.metrics.begin(), launch.metrics.end(),
                                 [&](const MetricValue& each) { return each.name == value.name; });
  if (!known) launch.metrics.push_back(std::move(value));
}

/// Whether any launch used the tensor cores. Their operations cost a pass for each type, so they are counted
/// only where there are any.
bool usesTensorCores(const std::vector<Launch>& launches) {
  return std::any_of(launches.begin(), launches.end(), [](const Launch& launch) {
    return std::any_of(launch.metrics.begin(), launch.metrics.end(), [](const MetricValue& metric) {
      return metric.name.starts_with("sm__pipe_tensor_cycles_active") && metric.value > 0;
    });
  });
}

Result<std::size_t> launchesIn(const std::function<Result<void>()>& work) {
  WB_TRY(const std::vector<ActivityRecord> records, traceActivity(work));
  return static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(),
                    [](const ActivityRecord& each) { return each.kind == ActivityKind::kernel; }));
}

/// Counts both sides; in each pass both find their arguments and the caches in the same state.
Result<Counted> CaseProfiler::countBoth(const std::vector<std::string>& metrics) {
  std::optional<CacheEviction> eviction;
  if (request_.caches == CacheState::cold) eviction.emplace(kernel_.device, request_.cacheBytes);
  const auto counted = [&](Profiled& side) -> Result<CountedCall> {
    const auto before = [this, &side, &eviction]() -> Result<void> {
      if (!eviction) WB_DO(side.call->run());
      restore(side);
      if (eviction) eviction->run();
      return {};
    };
    WB_TRY(const std::size_t launchesBefore, launchesIn(before));
    return CountedCall{before, runs(side), launchesBefore, side.launches.size()};
  };
  WB_TRY(const CountedCall candidate, counted(candidate_));
  WB_TRY(const CountedCall reference, counted(reference_));
  return countCalls(request_.device, metrics, std::array{candidate, reference});
}

/// Counts both sides in one session of the profiler, since turning it on costs more than counting.
void CaseProfiler::count() {
  if (candidate_.launches.size() + reference_.launches.size() == 0 || request_.plan.sections.empty()) return;
  const auto& sections = request_.plan.sections;
  if (!count(sections)) return;
  const bool asked = std::any_of(sections.begin(), sections.end(),
                                 [](const std::string& id) { return id == "tensor" || id == "all"; });
  if (!asked && !stopped() && (usesTensorCores(candidate_.launches) || usesTensorCores(reference_.launches)))
    count(std::vector<std::string>{"tensor"});
}

bool CaseProfiler::count(const std::vector<std::string>& sections) {
  const std::vector<std::string> metrics = metricsOf(sections);
  if (metrics.empty()) return false;
  Result<Counted> counted = Error{};
  try {
    counted = countBoth(metrics);
  } catch (...) {
    counted = Error{Stage::profile, exceptionText()};
  }
  if (!counted) {
    onPart_(Side::candidate, noted(counted.error()));
    return false;
  }
  const std::array sides{std::pair{Side::candidate, &candidate_}, std::pair{Side::reference, &reference_}};
  for (std::size_t number = 0; number < sides.size(); ++number) {
    const auto [which, side] = sides[number];
    for (std::size_t i = 0; i < side->launches.size(); ++i)
      for (MetricValue& value : counted->calls[number][i]) addMetric(side->launches[i], std::move(value));
    SideProfile part;
    part.launches = side->launches;
    part.passes = static_cast<int>(counted->passes);
    part.caches = request_.caches;
    if (which == Side::candidate) {
      part.missing = counted->missing;
      part.seconds = counted->hostSeconds + counted->deviceSeconds;
    }
    onPart_(which, std::move(part));
  }
  return true;
}

/// Names a place in the kernel's own file as the job names that file, since compilers name it in their own
/// way.
Place CaseProfiler::ownPlace(Place place) const {
  const auto nameOf = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  if (!place.file.empty() && nameOf(place.file) == nameOf(request_.ownFile)) place.file = request_.ownFile;
  return place;
}

void CaseProfiler::sample() {
  if (candidate_.launches.empty()) return;
  const auto start = Clock::now();
  Result<PcSamples> samples = samplePcs(runs(candidate_), candidate_.deviceSeconds, request_.modules());
  if (!samples) return onPart_(Side::candidate, noted(samples.error()));
  SideProfile part;
  part.samples = std::move(samples->samples);
  for (PcSample& sample : part.samples) sample.place = ownPlace(std::move(sample.place));
  part.droppedSamples = samples->dropped;
  part.samplingPeriod = samples->period;
  part.seconds = since(start);
  if (part.samples.empty()) part.notes.emplace_back("No samples: the kernel is too short to be sampled.");
  onPart_(Side::candidate, std::move(part));
}

Result<std::vector<std::string>> CaseProfiler::run() {
  WB_DO(prepare());
  request_.endWatch();
  makeCuptiForget();
  trace(Side::candidate, candidate_);
  trace(Side::reference, reference_);
  if (request_.plan.lines && !stopped()) sample();
  if (!stopped()) count();
  makeCuptiForget();
  std::set<std::string> functions;
  for (const Launch& launch : candidate_.launches) functions.insert(launch.function);
  return std::vector<std::string>(functions.begin(), functions.end());
}

}  // namespace

Result<std::vector<std::string>> profileCase(const KernelContext& kernel, const Case& definition,
                                             const ProfileRequest& request, const OnPart& onPart) {
  return CaseProfiler(kernel, definition, request, onPart).run();
}

}  // namespace wb
