// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

#include "core/engine/cupti/counter_plan_file.h"
#include "core/engine/cupti/cupti_library.h"

namespace wb {
namespace {

Result<const Cupti*> library() {
  std::string whyNot;
  if (const Cupti* found = cupti(&whyNot)) return found;
  return Error{Stage::profile, "Counters cannot be planned: " + whyNot};
}

/// Some chips count the same under another name, or in parts that add up.
struct StandIn {
  std::string_view metric;
  std::vector<std::string> parts;
};
const std::vector<StandIn>& standIns() {
  static const std::vector<StandIn> all = {
      {"dram__bytes_read.sum", {"dram__bytes_op_read.sum"}},
      {"dram__bytes_write.sum", {"dram__bytes_op_write.sum"}},
      {"sm__ops_path_tensor_src_fp16.sum",
       {"sm__ops_path_tensor_src_fp16_dst_fp16.sum", "sm__ops_path_tensor_src_fp16_dst_fp32.sum"}},
      {"sm__ops_path_tensor_src_fp8.sum",
       {"sm__ops_path_tensor_src_fp8_dst_fp16.sum", "sm__ops_path_tensor_src_fp8_dst_fp32.sum"}},
      // This one is counted together with the smaller ones.
      {"sm__ops_path_tensor_src_fp8.sum",
       {"sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp16.sum",
        "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum"}},
  };
  return all;
}

/// CUPTI's knowledge of one chip, and the metrics that were added to it. Making one is cheap after the first
/// of a process.
class HostObject {
 public:
  static Result<std::unique_ptr<HostObject>> open(const std::string& chip,
                                                  std::span<const std::uint8_t> availability) {
    WB_TRY(const auto cupti, library());
    CUpti_Profiler_Host_Initialize_Params params = {};
    params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    WB_DO(checkCupti(cupti->profilerHostInitialize(&params),
                     fmt::format("Counters of chip {} cannot be planned", chip)));
    return std::unique_ptr<HostObject>(new HostObject(*cupti, params.pHostObject));
  }
  ~HostObject() {
    CUpti_Profiler_Host_Deinitialize_Params params = {};
    params.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
    params.pHostObject = object_;
    cupti_.profilerHostDeinitialize(&params);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  /// What this chip counts for a metric: the metric itself, what stands in for it, or nothing. Asks for the
  /// name alone, so that a wrong ending of a right metric may get through.
  [[nodiscard]] std::vector<std::string> partsOf(const std::string& metric) const {
    if (knows(metric)) return {metric};
    for (const StandIn& standIn : standIns())
      if (standIn.metric == metric &&
          std::ranges::all_of(standIn.parts, [&](const std::string& part) { return knows(part); }))
        return standIn.parts;
    return {};
  }

  /// Adds all of them in one call: one by one they take more passes.
  [[nodiscard]] CUptiResult add(std::span<const std::string> metrics) const {
    std::vector<std::string> parts;
    for (const std::string& metric : metrics)
      for (std::string& part : partsOf(metric)) parts.push_back(std::move(part));
    std::vector<const char*> names = pointersTo(parts);
    CUpti_Profiler_Host_ConfigAddMetrics_Params params = {};
    params.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
    params.pHostObject = object_;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    return cupti_.profilerHostConfigAddMetrics(&params);
  }

  [[nodiscard]] Result<void> fill(CounterPlan& plan) const {
    CUpti_Profiler_Host_GetConfigImageSize_Params size = {};
    size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
    size.pHostObject = object_;
    WB_DO(checkCupti(cupti_.profilerHostGetConfigImageSize(&size), "Size of the counters' configuration"));
    plan.config.resize(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params image = {};
    image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
    image.pHostObject = object_;
    image.configImageSize = plan.config.size();
    image.pConfigImage = plan.config.data();
    WB_DO(checkCupti(cupti_.profilerHostGetConfigImage(&image), "The counters' configuration"));
    CUpti_Profiler_Host_GetNumOfPasses_Params passes = {};
    passes.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
    passes.configImageSize = plan.config.size();
    passes.pConfigImage = plan.config.data();
    WB_DO(checkCupti(cupti_.profilerHostGetNumOfPasses(&passes), "Passes of the counters"));
    plan.passes = passes.numOfPasses;
    return {};
  }

  /// Gives as many values as there are metrics, or none.
  [[nodiscard]] CUptiResult evaluate(std::span<const std::string> metrics, std::span<const std::uint8_t> data,
                                     std::size_t range, std::span<double> values) const {
    std::vector<std::string> parts;
    std::vector<std::size_t> ofMetric;
    for (std::size_t m = 0; m < metrics.size(); ++m)
      for (std::string& part : partsOf(metrics[m])) {
        parts.push_back(std::move(part));
        ofMetric.push_back(m);
      }
    std::vector<const char*> names = pointersTo(parts);
    std::vector<double> counted(parts.size());
    CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {};
    params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
    params.pHostObject = object_;
    params.pCounterDataImage = data.data();
    params.counterDataImageSize = data.size();
    params.rangeIndex = range;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = counted.data();
    const CUptiResult code = cupti_.profilerHostEvaluateToGpuValues(&params);
    if (code != CUPTI_SUCCESS) return code;
    std::ranges::fill(values, 0.0);
    for (std::size_t i = 0; i < counted.size(); ++i) values[ofMetric[i]] += counted[i];
    return code;
  }

 private:
  HostObject(const Cupti& cupti, CUpti_Profiler_Host_Object* object) : cupti_(cupti), object_(object) {}

  static std::vector<const char*> pointersTo(const std::vector<std::string>& names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    return pointers;
  }

  [[nodiscard]] bool knows(const std::string& metric) const {
    CUpti_Profiler_Host_GetMetricProperties_Params params = {};
    params.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
    params.pHostObject = object_;
    params.pMetricName = metric.c_str();
    return cupti_.profilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
  }

  const Cupti& cupti_;
  CUpti_Profiler_Host_Object* object_;
};

struct Request {
  const std::string& chip;
  std::span<const std::uint8_t> availability;
};

/// Divides `metrics` into those that can be added and those that cannot, by halving. It is for the few whose
/// name is known but whose ending is not.
Result<void> partition(const Request& request, std::span<const std::string> metrics, CounterPlan& plan) {
  if (metrics.empty()) return {};
  WB_TRY(auto object, HostObject::open(request.chip, request.availability));
  if (object->add(metrics) == CUPTI_SUCCESS) {
    plan.metrics.insert(plan.metrics.end(), metrics.begin(), metrics.end());
    return {};
  }
  if (metrics.size() == 1) {
    plan.missing.push_back(metrics.front());
    return {};
  }
  const std::size_t half = metrics.size() / 2;
  WB_DO(partition(request, metrics.first(half), plan));
  return partition(request, metrics.subspan(half), plan);
}

Result<CounterPlan> makePlan(const Request& request, std::span<const std::string> metrics) {
  auto object = HostObject::open(request.chip, request.availability);
  if (!object) return object.error();
  CounterPlan plan;
  plan.chip = request.chip;
  for (const std::string& metric : metrics)
    ((*object)->partsOf(metric).empty() ? plan.missing : plan.metrics).push_back(metric);
  if (plan.metrics.empty()) return plan;
  if ((*object)->add(plan.metrics) != CUPTI_SUCCESS) {
    const std::vector<std::string> known = std::exchange(plan.metrics, {});
    WB_DO(partition(request, known, plan));
    if (plan.metrics.empty()) return plan;
    object = HostObject::open(request.chip, request.availability);
    if (!object) return object.error();
    WB_DO(checkCupti((*object)->add(plan.metrics), "These metrics cannot be counted together"));
  }
  WB_DO((*object)->fill(plan));
  return plan;
}

/// One object per chip for evaluating. It is never closed, since CUPTI may be gone before this process's
/// statics are.
Result<const HostObject*> evaluator(const std::string& chip, std::span<const std::uint8_t> availability) {
  static std::mutex mutex;
  static auto& open = *new std::map<std::string, std::unique_ptr<HostObject>>;
  const std::lock_guard lock(mutex);
  auto& object = open[chip];
  if (object == nullptr) {
    WB_TRY(object, HostObject::open(chip, availability));
  }
  return object.get();
}

}  // namespace

Result<CounterPlan> planCounters(const std::string& chip, std::span<const std::string> metrics,
                                 std::span<const std::uint8_t> availability) {
  WB_TRY(const auto cupti, library());
  std::uint32_t version = 0;
  cupti->getVersion(&version);
  // This one is kept open with the device's availability for evaluateCounters, which is not told it.
  if (!availability.empty()) WB_DO(evaluator(chip, availability));
  const std::filesystem::path file = counterPlanFile(chip, metrics, version, availability);
  if (std::optional<CounterPlan> kept = readCounterPlan(file)) return *std::move(kept);
  Result<CounterPlan> plan = makePlan({chip, availability}, metrics);
  // Without a writable cache the next plan only takes its time again.
  if (plan) (void)writeCounterPlan(file, *plan);
  return plan;
}

namespace {

/// More hits than lookups: the two were counted in different passes, and beside a kernel that moves next to
/// nothing others' traffic is most of what is counted (217 % were seen on an H200). Such a rate says nothing.
void dropImpossible(const std::vector<std::string>& metrics, std::vector<double>& values) {
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (metrics[i].ends_with("hit_rate.pct") && values[i] > 100)
      values[i] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Result<std::vector<double>> evaluateCounters(const CounterPlan& plan,
                                             std::span<const std::uint8_t> counterData, std::size_t range) {
  std::vector<double> values(plan.metrics.size(), std::numeric_limits<double>::quiet_NaN());
  if (plan.metrics.empty()) return values;
  WB_TRY(const auto object, evaluator(plan.chip, {}));
  const CUptiResult together = object->evaluate(plan.metrics, counterData, range, values);
  if (together == CUPTI_SUCCESS) {
    dropImpossible(plan.metrics, values);
    return values;
  }
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const CUptiResult code = object->evaluate(std::span(plan.metrics).subspan(i, 1), counterData, range,
                                              std::span(values).subspan(i, 1));
    if (code == CUPTI_SUCCESS)
      any = true;
    else
      values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  if (!any) return cuptiError(together, "Counters cannot be read from what the device gave");
  dropImpossible(plan.metrics, values);
  return values;
}

Result<std::vector<std::string>> knownChips() {
  WB_TRY(const auto cupti, library());
  CUpti_Profiler_Host_GetSupportedChips_Params params = {};
  params.structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE;
  WB_DO(checkCupti(cupti->profilerHostGetSupportedChips(&params), "The chips that CUPTI knows"));
  return std::vector<std::string>(params.ppChipNames, params.ppChipNames + params.numChips);
}

}  // namespace wb
