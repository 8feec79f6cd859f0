// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/list_command.h"

#include <fmt/format.h>

#include "app/cli/commands/doctor_command.h"
#include "app/cli/output/output.h"
#include "core/base/nearest.h"
#include "core/base/quantity.h"
#include "core/model/languages.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/operator_name.h"
#include "core/report/exporters.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

std::string noMatch(std::string_view what, const std::string& filter, const std::vector<std::string>& names) {
  const std::string near = didYouMean(filter, names);
  return fmt::format("no {} matches '{}'{}{}", what, filter, near.empty() ? "" : "; ", near);
}

int listOperators(const std::string& filter) {
  auto catalogue = readCatalogue();
  if (!catalogue && prepareWorker()) catalogue = readCatalogue();
  if (!catalogue) {
    complain(catalogue.error());
    return 3;
  }
  int shown = 0;
  for (const OperatorEntry& entry : catalogue->operators) {
    if (!filter.empty() && !matches(filter, entry.name)) continue;
    show(fmt::format("{}\n", entry.schema));
    ++shown;
  }
  if (shown > 0) return 0;
  std::vector<std::string> names;
  for (const OperatorEntry& entry : catalogue->operators) names.push_back(shortName(entry.name));
  complain(noMatch("operator", filter, names));
  return 2;
}

int listSuites() {
  for (const SuiteInfo& suite : suites()) {
    if (suite.file.empty()) {  // made when asked for, which may take a while
      show(fmt::format("{:<12} {:>11}  {}\n", suite.name, "made", suite.description));
      continue;
    }
    const auto loaded = loadSuite(suite.name);
    show(fmt::format("{:<12} {:>5} cases  {}\n", suite.name,
                     loaded ? std::to_string(loaded->cases.size()) : "?", suite.description));
    if (!loaded) complain(loaded.error());
  }
  return 0;
}

int listCases(const std::string& filter, SuiteChoice choice) {
  if (!filter.empty()) choice.ops += (choice.ops.empty() ? "" : ",") + filter;
  const auto suite = chooseSuite(choice);
  if (!suite) {
    complain(suite.error());
    return 2;
  }
  const std::string* op = nullptr;
  for (const Case& definition : suite->cases) {
    if (op == nullptr || *op != definition.op)
      show(fmt::format("Operator: aten.{}\n", shortName(definition.op)));
    op = &definition.op;
    show(fmt::format("cnt: {}, {}\n", definition.count, definition.args));
  }
  return 0;
}

int listLanguages() {
  for (const Language& language : languages())
    show(fmt::format("{:<12} {:<6} {:<12} {}\n", language.id,
                     language.extension.empty() ? "-" : language.extension, language.title,
                     language.summary));
  return 0;
}

int listDevices() {
  for (const Device& device : devices())
    show(fmt::format(
        "{:<8} {:<8} {}{}\n", device.id, device.architecture, device.name,
        device.memoryBytes > 0 ? ", " + formatBytes(static_cast<double>(device.memoryBytes)) : ""));
  return 0;
}

int listReports() {
  for (const Exporter& exporter : exporters())
    show(fmt::format("{:<10} {:<6} {}\n", exporter.id, exporter.extension, exporter.title));
  return 0;
}

int listSections() {
  show(fmt::format("{:<16} {:>3}  {}\n{:<16} {:>3}  {}\n", "quick",
                   metricsOf(std::vector<std::string>{"quick"}).size(),
                   "The metrics that share passes, from several sections", "all",
                   metricsOf(std::vector<std::string>{"all"}).size(), "Every section"));
  for (const MetricSection& section : metricSections())
    show(fmt::format("{:<16} {:>3}  {}. {}\n", section.id, section.metrics.size(), section.title,
                     section.meaning));
  return 0;
}

/// Each under the first section that has it; the filter is a part of a name, a title or a section.
int listMetrics(const std::string& filter) {
  std::vector<std::string> names;
  int shown = 0;
  for (const MetricSection& section : metricSections()) {
    bool title = false;
    for (const std::string& name : section.metrics) {
      const MetricInfo* info = metricInfo(name);
      if (info == nullptr || info->section != section.id) continue;
      names.push_back(name);
      const auto holds = [&](const std::string& text) { return text.find(filter) != std::string::npos; };
      if (!holds(name) && !holds(section.id) && !holds(info->title)) continue;
      if (!title) show(fmt::format("{}{} ({})\n", shown > 0 ? "\n" : "", section.title, section.id));
      title = true;
      ++shown;
      show(fmt::format("  {}{}\n      {}{}. {}\n", name, info->quick ? " (quick)" : "", info->title,
                       info->unit.empty() ? "" : ", " + info->unit, info->meaning));
    }
  }
  if (shown > 0) return 0;
  complain(noMatch("metric", filter, names));
  return 2;
}

}  // namespace

int listCommand(const std::string& what, const std::string& filter, const SuiteChoice& choice) {
  if (what == "cases") return listCases(filter, choice);
  if (what == "operators") return listOperators(filter);
  if (what == "suites") return listSuites();
  if (what == "languages") return listLanguages();
  if (what == "devices") return listDevices();
  if (what == "sections") return listSections();
  if (what == "metrics") return listMetrics(filter);
  return listReports();
}

}  // namespace wb
