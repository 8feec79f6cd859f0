// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// Whether more of a metric is good news.
enum class Better { neither, higher, lower };

/// One metric of the catalogue. Source: resources/metrics/catalogue.json, which is built in.
struct MetricInfo {
  std::string name;  ///< CUPTI's: "sm__throughput.avg.pct_of_peak_sustained_elapsed"; or "derived__…", ours
  std::string section;  ///< id of its section: the first that lists it
  std::string title;    ///< "SM throughput"
  std::string unit;  ///< "%", "B", "B/s", "s", "cycle", "inst", "sector", "request", "ratio", …; "" a count
  Better better = Better::neither;
  std::string meaning;  ///< one line for people
  bool quick = false;   ///< of the quick set, whose metrics share passes
  /// Launches of one call add up to the call's value: counts, bytes, times. Never ratios.
  bool sums = false;
  /// Computed from other metrics (metric_formulas.h) instead of asked of the device; "" else.
  std::string formula;
};

struct MetricSection {
  std::string id, title, meaning;
  std::vector<std::string> metrics;  ///< names, in order; a metric may be in several sections
};

/// In the order of the file. Never empty; checked when the program is built.
[[nodiscard]] std::span<const MetricSection> metricSections();
/// Null when the catalogue does not know it.
[[nodiscard]] const MetricInfo* metricInfo(std::string_view name);

/// CUPTI names that the device has to count for these sections ("quick", "all" and ids), each once, formulas
/// replaced by what they need. Unknown ids are left out.
[[nodiscard]] std::vector<std::string> metricsOf(std::span<const std::string> sections);

}  // namespace wb
