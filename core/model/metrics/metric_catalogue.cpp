// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/metric_catalogue.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "core/model/metrics/metric_catalogue_text.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {
namespace {

struct Catalogue {
  std::vector<MetricSection> sections;
  std::map<std::string, MetricInfo, std::less<>> metrics;
  /// The order of the file.
  std::vector<std::string> order;
};

Better betterOf(const std::string& word) {
  for (const Better better : enumValues<Better>)
    if (word == name(better)) return better;
  throw std::runtime_error("metric catalogue: better is higher, lower or neither, not " + word);
}

MetricInfo metricOf(const nlohmann::json& entry) {
  MetricInfo info;
  info.name = entry.at("name").get<std::string>();
  info.title = entry.at("title").get<std::string>();
  info.unit = entry.at("unit").get<std::string>();
  info.better = betterOf(entry.at("better").get<std::string>());
  info.meaning = entry.at("meaning").get<std::string>();
  info.quick = entry.value("quick", false);
  info.sums = entry.value("sums", false);
  info.formula = entry.value("formula", "");
  if (!info.formula.empty() && formulaInputs(info.formula).empty())
    throw std::runtime_error("metric catalogue: no formula " + info.formula);
  return info;
}

/// Parses the catalogue. The text is built in and tests read it, so an error in it ends the program at once.
Catalogue parse() {
  const nlohmann::json file = nlohmann::json::parse(asset::metricCatalogue);
  Catalogue catalogue;
  for (const nlohmann::json& entry : file.at("metrics")) {
    MetricInfo info = metricOf(entry);
    catalogue.order.push_back(info.name);
    if (!catalogue.metrics.emplace(info.name, std::move(info)).second)
      throw std::runtime_error("metric catalogue: twice " + catalogue.order.back());
  }
  for (const nlohmann::json& entry : file.at("sections")) {
    MetricSection section;
    section.id = entry.at("id").get<std::string>();
    section.title = entry.at("title").get<std::string>();
    section.meaning = entry.at("meaning").get<std::string>();
    section.metrics = entry.at("metrics").get<std::vector<std::string>>();
    for (const std::string& name : section.metrics) {
      MetricInfo& info = catalogue.metrics.at(name);
      if (info.section.empty()) info.section = section.id;
    }
    catalogue.sections.push_back(std::move(section));
  }
  return catalogue;
}

const Catalogue& catalogue() noexcept {
  static const Catalogue parsed = parse();
  return parsed;
}

/// The names of the metrics of "quick", "all" or a section, in the order of the file; a metric's name is
/// itself.
std::vector<std::string> namesOf(const std::string& section) {
  const Catalogue& all = catalogue();
  if (section == "all") return all.order;
  if (section == "quick") {
    std::vector<std::string> names;
    for (const std::string& name : all.order)
      if (all.metrics.at(name).quick) names.push_back(name);
    return names;
  }
  const auto at = std::ranges::find(all.sections, section, &MetricSection::id);
  if (at != all.sections.end()) return at->metrics;
  return all.metrics.contains(section) ? std::vector<std::string>{section} : std::vector<std::string>{};
}

}  // namespace

std::span<const MetricSection> metricSections() {
  return catalogue().sections;
}

const MetricInfo* metricInfo(std::string_view name) {
  const auto at = catalogue().metrics.find(name);
  return at == catalogue().metrics.end() ? nullptr : &at->second;
}

std::vector<std::string> metricsOf(std::span<const std::string> sections) {
  std::vector<std::string> counters;
  std::set<std::string, std::less<>> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) counters.push_back(name);
  };
  for (const std::string& section : sections)
    for (const std::string& name : namesOf(section)) {
      const std::string& formula = metricInfo(name)->formula;
      if (formula.empty()) add(name);
      for (const std::string& input : formulaInputs(formula)) add(input);
    }
  return counters;
}

}  // namespace wb
