// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "core/figures/profile/profile_facts.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

namespace {

std::optional<double> known(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<double> find(const std::vector<MetricValue>& values, std::string_view name) {
  for (const MetricValue& metric : values)
    if (metric.name == name) return known(metric.value);
  return std::nullopt;
}

/// A formula's value. For several launches it is computed from their sums; where a formula needs metrics that
/// do not add up, it has no value then.
std::optional<double> formula(const std::vector<MetricValue>& values, std::string_view name) {
  if (const auto derived = find(values, "derived__" + std::string(name))) return derived;
  return known(evaluateFormula(name, values));
}

/// The type that most of the tensor cores' operations multiplied.
std::string tensorType(const std::vector<MetricValue>& values) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> types = {
      {{"FP16", "sm__ops_path_tensor_src_fp16.sum"},
       {"BF16", "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
       {"TF32", "sm__ops_path_tensor_src_tf32_dst_fp32.sum"}}};
  std::string best;
  double most = 0;
  for (const auto& [type, metric] : types)
    if (const double count = find(values, metric).value_or(0); count > most) {
      most = count;
      best = type;
    }
  return best;
}

bool tensorPipeActive(const SideProfile& side) {
  return std::any_of(side.launches.begin(), side.launches.end(), [](const Launch& launch) {
    return metricOf(launch, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed").value_or(0) >
           0;
  });
}

}  // namespace

Work workOf(const SideProfile& side) {
  Work work;
  for (const Launch& launch : side.launches) work.seconds += secondsOf(launch);
  const std::vector<MetricValue> values = metricsOfCall(side.launches);
  work.flops = formula(values, "flop");
  work.tensorFlops = formula(values, "flop_tensor");
  work.fp64Flops = formula(values, "flop_fp64");
  work.tensorType = tensorType(values);
  work.tensorUncounted = !work.tensorFlops && tensorPipeActive(side);
  work.dramBytes = formula(values, "dram_bytes");
  if (!work.dramBytes) work.dramBytes = find(values, "dram__bytes.sum");
  work.l2Bytes = find(values, "lts__t_bytes.sum");
  work.l1Bytes = find(values, "l1tex__t_bytes.sum");
  return work;
}

}  // namespace wb
