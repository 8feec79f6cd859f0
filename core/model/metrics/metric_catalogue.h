// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum.h"

namespace wb {

/// Whether a higher or a lower value of a metric is better.
WB_ENUM(Better, neither, higher, lower);

/// One metric of the catalogue, resources/metrics/catalogue.json, which is built in.
struct MetricInfo {
  /// CUPTI's name, "sm__throughput.avg.pct_of_peak_sustained_elapsed", or "derived__…" for Warpbench's own.
  std::string name;
  /// The id of its section, the first one that lists it.
  std::string section;
  /// The title: "SM throughput".
  std::string title;
  /// The unit: "%", "B", "B/s", "s", "cycle", "inst", "sector", "request", "ratio", …; "" for a count.
  std::string unit;
  Better better = Better::neither;
  /// The meaning in one line, for people.
  std::string meaning;
  /// It belongs to the quick set, whose metrics share passes.
  bool quick = false;
  /// The values of a call's launches add up to the call's value, as counts, bytes and times do. Ratios never
  /// do.
  bool sums = false;
  /// The formula (metric_formulas.h) by which it is computed from other metrics; "" for a metric that the
  /// device counts.
  std::string formula;
};

struct MetricSection {
  std::string id, title, meaning;
  /// The names of its metrics, in order; a metric may be in several sections.
  std::vector<std::string> metrics;
};

/// The sections in the order of the file. There is at least one, which is checked when the program is built.
[[nodiscard]] std::span<const MetricSection> metricSections();
/// The metric with this name; null when the catalogue does not have it.
[[nodiscard]] const MetricInfo* metricInfo(std::string_view name);

/// The CUPTI names that the device has to count for these sections ("quick", "all", ids, and names of single
/// metrics), each once; formulas are replaced by what they need. What is unknown is left out.
[[nodiscard]] std::vector<std::string> metricsOf(std::span<const std::string> sections);

}  // namespace wb
