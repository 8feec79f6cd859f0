// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/device_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/jobs/evaluation/contract_metrics.h"
#include "core/model/metrics/metric_formulas.h"
#include "core/model/metrics/occupancy.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

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
  for (const ContractMetric& row : contractMetrics()) {
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
