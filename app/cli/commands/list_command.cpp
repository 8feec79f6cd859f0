// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "app/cli/commands/verb.h"
#include "app/cli/options/whole_number.h"
#include "app/cli/options/words.h"
#include "app/cli/output/output.h"
#include "app/cli/output/suite_progress.h"
#include "app/cli/run/chosen_device.h"
#include "core/base/nearest.h"
#include "core/base/quantity.h"
#include "core/jobs/job_request.h"
#include "core/model/exit/exit_status.h"
#include "core/model/languages.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/operator_name.h"
#include "core/report/exporters.h"
#include "core/runner/prepare.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

std::string noMatch(std::string_view what, const std::string& filter, const std::vector<std::string>& names) {
  const std::string near = didYouMean(filter, names);
  return fmt::format("no {} matches '{}'{}{}", what, filter, near.empty() ? "" : "; ", near);
}

struct Options {
  Options() {
    request.device = "auto";
    request.dtype = "bfloat16";
  }
  std::string what;
  /// A name in any spelling or a glob; for metrics a part of a name, a title or a section.
  std::string filter;
  /// The request whose cases are listed.
  JobRequest request;
};

int listOperators(const Options& options) {
  const std::string& filter = options.filter;
  const auto catalogue = catalogueOfTorch();
  if (!catalogue) {
    complain(catalogue.error());
    return ExitStatus::noWorker;
  }
  int shown = 0;
  for (const OperatorEntry& entry : catalogue->operators) {
    if (!filter.empty() && !matches(filter, entry.name)) continue;
    show(fmt::format("{}\n", entry.schema));
    ++shown;
  }
  if (shown > 0) return ExitStatus::good;
  std::vector<std::string> names;
  for (const OperatorEntry& entry : catalogue->operators) names.push_back(shortName(entry.name));
  complain(noMatch("operator", filter, names));
  return ExitStatus::usage;
}

int listSuites(const Options&) {
  for (const SuiteInfo& suite : suites()) {
    if (suite.file.empty()) {  // it is made when it is asked for, which may take a while
      show(fmt::format("{:<12} {:>11}  {}\n", suite.name, "made", suite.description));
      continue;
    }
    const auto loaded = loadSuite(suite.name);
    show(fmt::format("{:<12} {:>5} cases  {}\n", suite.name,
                     loaded ? std::to_string(loaded->cases.size()) : "?", suite.description));
    if (!loaded) complain(loaded.error());
  }
  return ExitStatus::good;
}

/// The device for which samples are made. Finding out which devices there are takes time, so it is done only
/// for the suites that need it.
std::string samplesDevice(const JobRequest& request) {
  const std::vector<SuiteInfo> known = suites();
  const bool made = std::any_of(known.begin(), known.end(), [&](const SuiteInfo& each) {
    return each.name == request.suite && each.takesDtype;
  });
  if (!made) return "cpu";
  const auto device = chosenDevice(request.device);
  return device ? *device : "cpu";
}

Result<Suite> suiteOf(JobRequest request) {
  if (request.device == "auto") request.device = samplesDevice(request);
  SuiteProgressLine line;
  return chooseSuite(request, {}, line.progress());
}

/// Lists cases in the operator-log format, so that they make a file of cases (without the values that opinfo
/// has stored).
int listCases(const Options& options) {
  JobRequest request = options.request;
  if (!options.filter.empty()) request.operators = words(options.filter, ',');
  const auto suite = suiteOf(std::move(request));
  if (!suite) {
    complain(suite.error());
    return ExitStatus::usage;
  }
  const std::string* op = nullptr;
  for (const Case& definition : suite->cases) {
    if (op == nullptr || *op != definition.op)
      show(fmt::format("Operator: aten.{}\n", shortName(definition.op)));
    op = &definition.op;
    show(fmt::format("cnt: {}, {}\n", definition.count, definition.args));
  }
  return ExitStatus::good;
}

int listLanguages(const Options&) {
  for (const Language& language : languages())
    show(fmt::format("{:<12} {:<6} {:<12} {}\n", language.id,
                     language.extension.empty() ? "-" : language.extension, language.title,
                     language.summary));
  return ExitStatus::good;
}

int listDevices(const Options&) {
  for (const Device& device : devices())
    show(fmt::format(
        "{:<8} {:<8} {}{}\n", device.id, device.architecture, device.name,
        device.memoryBytes > 0 ? ", " + formatBytes(static_cast<double>(device.memoryBytes)) : ""));
  return ExitStatus::good;
}

int listReports(const Options&) {
  for (const Exporter& exporter : exporters())
    show(fmt::format("{:<10} {:<6} {}\n", exporter.id, exporter.extension, exporter.title));
  return ExitStatus::good;
}

int listSections(const Options&) {
  show(fmt::format("{:<16} {:>3}  {}\n{:<16} {:>3}  {}\n", "quick",
                   metricsOf(std::vector<std::string>{"quick"}).size(),
                   "The metrics that share passes, from several sections", "all",
                   metricsOf(std::vector<std::string>{"all"}).size(), "Every section"));
  for (const MetricSection& section : metricSections())
    show(fmt::format("{:<16} {:>3}  {}. {}\n", section.id, section.metrics.size(), section.title,
                     section.meaning));
  return ExitStatus::good;
}

/// Lists each metric under the first section that has it.
int listMetrics(const Options& options) {
  const std::string& filter = options.filter;
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
  if (shown > 0) return ExitStatus::good;
  complain(noMatch("metric", filter, names));
  return ExitStatus::usage;
}

struct Listing {
  const char* what;
  int (*list)(const Options& options);
};
constexpr std::array listings{Listing{"operators", listOperators}, Listing{"suites", listSuites},
                              Listing{"cases", listCases},         Listing{"languages", listLanguages},
                              Listing{"devices", listDevices},     Listing{"metrics", listMetrics},
                              Listing{"sections", listSections},   Listing{"reports", listReports}};

void addOptions(CLI::App& command, Options& options) {
  std::vector<std::string> names;
  for (const Listing& each : listings) names.emplace_back(each.what);
  command.add_option("WHAT", options.what, "What to list")->required()->check(CLI::IsMember(names));
  command.add_option("FILTER", options.filter, "Operators and cases: name or glob; metrics: part of a name");
  command.add_option("--suite", options.request.suite, "Cases: of this suite")->capture_default_str();
  command.add_option("--dtype", options.request.dtype, "Cases: dtype of a made suite's samples")
      ->capture_default_str();
  command.add_option("--device", options.request.device, "Cases: device of a made suite's samples")
      ->capture_default_str();
  command.add_option("--topn", options.request.topn, "Cases: only the N largest of each operator; 0: all")
      ->check(count(0))
      ->capture_default_str();
}

int list(const Options& options) {
  for (const Listing& each : listings)
    if (options.what == each.what) return each.list(options);
  return ExitStatus::usage;
}

}  // namespace

Verb listVerb() {
  auto options = std::make_shared<Options>();
  return {"list",
          "List operators, suites, a suite's cases, languages, devices, metrics, "
          "their sections or report formats",
          [options](CLI::App& command) { addOptions(command, *options); },
          [options](const std::string&) { return list(*options); }};
}

}  // namespace wb
