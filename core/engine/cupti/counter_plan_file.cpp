// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/counter_plan_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/paths.h"

namespace wb {
namespace {

constexpr std::string_view format = "warpbench counter plan 2";

std::string_view bytesOf(std::span<const std::uint8_t> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

}  // namespace

std::filesystem::path counterPlanFile(const std::string& chip, std::span<const std::string> metrics,
                                      std::uint32_t cuptiVersion,
                                      std::span<const std::uint8_t> availability) {
  std::string names;
  for (const std::string& metric : metrics) names += metric + "\n";
  return cacheFolder() / "counters" /
         fmt::format("{}-{}", chip,
                     contentHash({format, chip, names, std::to_string(cuptiVersion), bytesOf(availability)}));
}

// The file has one line of JSON, then the config image. The line holds the image's hash, so that damage by a
// full disk or another program is noticed.
std::optional<CounterPlan> readCounterPlan(const std::filesystem::path& file) {
  const Result<std::string> content = readFile(file);
  if (!content) return std::nullopt;
  const std::size_t end = content->find('\n');
  if (end == std::string::npos) return std::nullopt;
  const nlohmann::json head = nlohmann::json::parse(content->substr(0, end), nullptr, false);
  const std::string_view image = std::string_view(*content).substr(end + 1);
  try {
    if (head.is_discarded() || head.at("format") != format || head.at("hash") != contentHash({image}))
      return std::nullopt;
    CounterPlan plan;
    plan.chip = head.at("chip").get<std::string>();
    plan.metrics = head.at("metrics").get<std::vector<std::string>>();
    plan.missing = head.at("missing").get<std::vector<std::string>>();
    plan.passes = head.at("passes").get<std::size_t>();
    plan.config.assign(image.begin(), image.end());
    return plan;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Result<void> writeCounterPlan(const std::filesystem::path& file, const CounterPlan& plan) {
  const std::string_view image = bytesOf(plan.config);
  const nlohmann::json head = {{"format", format},        {"hash", contentHash({image})},
                               {"chip", plan.chip},       {"metrics", plan.metrics},
                               {"missing", plan.missing}, {"passes", plan.passes}};
  return writeFileAtomically(file, head.dump() + "\n" + std::string(image));
}

}  // namespace wb
