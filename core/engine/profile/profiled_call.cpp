// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/profiled_call.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "core/engine/cupti/activity.h"
#include "core/engine/cupti/counters.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/device/driver.h"
#include "core/engine/profile/cache_eviction.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/model/metrics/metric_catalogue.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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

void addMetric(Launch& launch, MetricValue value) {
  const bool known = std::any_of(launch.metrics.begin(), launch.metrics.end(),
                                 [&](const MetricValue& each) { return each.name == value.name; });
  if (!known) launch.metrics.push_back(std::move(value));
}

/// Of a kernel that does not use the tensor cores they seem to be active for a thousandth of a percent of the
/// time on an H100.
constexpr double leastTensorPercent = 0.02;

/// Whether any launch used the tensor cores. Their operations cost a pass for each type, so they are counted
/// only where there are any.
bool usesTensorCores(const std::vector<Launch>& launches) {
  return std::any_of(launches.begin(), launches.end(), [](const Launch& launch) {
    return std::any_of(launch.metrics.begin(), launch.metrics.end(), [](const MetricValue& metric) {
      return metric.name.starts_with("sm__pipe_tensor_cycles_active") && metric.value > leastTensorPercent;
    });
  });
}

Result<std::size_t> launchesIn(const std::function<Result<void>()>& work) {
  WB_TRY(const std::vector<ActivityRecord> records, traceActivity(work));
  return static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(),
                    [](const ActivityRecord& each) { return each.kind == ActivityKind::kernel; }));
}

std::function<Result<void>()> runs(const ProfiledCall& call) {
  return [&call] { return call.call->run(); };
}

Result<Counted> countedMetrics(std::span<ProfiledCall* const> calls, const std::vector<std::string>& metrics,
                               const CounterConditions& conditions) {
  std::optional<CacheEviction> eviction;
  if (conditions.caches == CacheState::cold) eviction.emplace(conditions.device, conditions.cacheBytes);
  std::vector<CountedCall> counted;
  for (ProfiledCall* const call : calls) {
    const auto before = [call, &eviction]() -> Result<void> {
      if (!eviction) WB_DO(call->call->run());
      if (call->restore) call->restore();
      if (eviction) eviction->run();
      return {};
    };
    WB_TRY(const std::size_t launchesBefore, launchesIn(before));
    counted.push_back({before, runs(*call), launchesBefore, call->launches.size()});
  }
  return countCalls(conditions.index, metrics, counted, conditions.chip);
}

/// Counts in one session; false where there is nothing to count, or it fails.
bool countSections(std::span<ProfiledCall* const> calls, const std::vector<std::string>& sections,
                   const CounterConditions& conditions,
                   const std::function<void(std::size_t, SideProfile)>& onPart) {
  const std::vector<std::string> metrics = metricsOf(sections);
  if (metrics.empty()) return false;
  Result<Counted> counted = Error{};
  try {
    counted = countedMetrics(calls, metrics, conditions);
  } catch (...) {
    counted = Error{Stage::profile, exceptionText()};
  }
  if (!counted) {
    onPart(0, notedPart(counted.error()));
    return false;
  }
  for (std::size_t number = 0; number < calls.size(); ++number) {
    std::vector<Launch>& launches = calls[number]->launches;
    for (std::size_t i = 0; i < launches.size(); ++i)
      for (MetricValue& value : counted->calls[number][i]) addMetric(launches[i], std::move(value));
    SideProfile part;
    part.launches = launches;
    part.passes = static_cast<int>(counted->passes);
    part.caches = conditions.caches;
    if (number == 0) {
      part.missing = counted->missing;
      part.seconds = counted->hostSeconds + counted->deviceSeconds;
    }
    onPart(number, std::move(part));
  }
  return true;
}

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

}  // namespace

std::function<void()> restoring(const c10::FunctionSchema& schema, const Stack& arguments) {
  Stack changed;
  for (std::size_t i = 0; i < arguments.size() && i < schema.arguments().size(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) changed.push_back(arguments[i]);
  }
  return [changed, pristine = cloneArguments(changed)] {
    for (std::size_t i = 0; i < changed.size(); ++i) copyTensors(pristine[i], changed[i]);
  };
}

SideProfile notedPart(const Error& error) {
  SideProfile part;
  part.notes.push_back(describe(error));
  return part;
}

Result<void> warmUp(ProfiledCall& call) {
  for (int i = 0; i < 2; ++i) {
    WB_DO(call.call->run());
    WB_DO(synchronize(Stage::profile));
  }
  return {};
}

SideProfile traceCall(ProfiledCall& call, bool timeline,
                      const std::vector<std::shared_ptr<const LoadedModule>>& modules) {
  const auto start = Clock::now();
  const Result<std::vector<ActivityRecord>> records = traceActivity(runs(call), timeline);
  if (!records) return notedPart(records.error());
  SideProfile part;
  for (const ActivityRecord& record : *records) {
    const bool kernel = record.kind == ActivityKind::kernel;
    if (kernel) call.launches.push_back(launchOf(record));
    if (record.kind != ActivityKind::api) call.deviceSeconds += record.seconds;
    if (timeline)
      part.activities.push_back({record.kind, kernel ? call.launches.back().kernel : record.function,
                                 record.start, record.seconds,
                                 record.kind == ActivityKind::api ? 0 : record.stream, record.bytes});
  }
  addLocalBytes(call.launches, modules);
  part.launches = call.launches;
  part.seconds = since(start);
  if (call.launches.empty())
    part.notes.emplace_back("This call launches no kernel: there is nothing to count.");
  return part;
}

void countTogether(std::span<ProfiledCall* const> calls, const std::vector<std::string>& sections,
                   const CounterConditions& conditions, const std::function<bool()>& stopped,
                   const std::function<void(std::size_t call, SideProfile part)>& onPart) {
  const bool isAny = std::any_of(calls.begin(), calls.end(),
                                 [](const ProfiledCall* each) { return !each->launches.empty(); });
  if (!isAny || sections.empty() || !countSections(calls, sections, conditions, onPart)) return;
  const bool asked = std::any_of(sections.begin(), sections.end(),
                                 [](const std::string& id) { return id == "tensor" || id == "all"; });
  const bool used = std::any_of(calls.begin(), calls.end(),
                                [](const ProfiledCall* each) { return usesTensorCores(each->launches); });
  if (!asked && used && !stopped())
    countSections(calls, std::vector<std::string>{"tensor"}, conditions, onPart);
}

Result<std::vector<SideProfile>> profileCall(ProfiledCall& call, const ProfilePlan& plan,
                                             const CounterConditions& conditions) {
  WB_DO(warmUp(call));
  std::vector<SideProfile> parts{traceCall(call, plan.timeline, {})};
  countTogether(
      std::array{&call}, plan.sections, conditions, [] { return false; },
      [&](std::size_t, SideProfile part) { parts.push_back(std::move(part)); });
  makeCuptiForget();
  return parts;
}

}  // namespace wb
