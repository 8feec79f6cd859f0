// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/request_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/model/metrics/metric_catalogue.h"

namespace wb {
namespace {

/// The whole `text` as a number that is not negative.
std::optional<double> numberOf(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) return std::nullopt;
  return value;
}

}  // namespace

Result<Tolerance> toleranceOf(const std::string& text) {
  if (text == "torch" || text == "backendbench" || text == "strict")
    return Tolerance{.preset = text, .rtol = 0, .atol = 0};
  if (const auto parts = split(text, ','); parts.size() == 2) {
    const auto rtol = numberOf(parts[0]), atol = numberOf(parts[1]);
    if (rtol && atol) return Tolerance{.preset = "given", .rtol = *rtol, .atol = *atol};
  }
  return Error{Stage::job, fmt::format("'{}' is neither a preset nor RTOL,ATOL", text),
               "say torch, backendbench, strict, or two numbers such as 1e-3,1e-5"};
}

Result<std::vector<std::string>> sectionsOf(std::vector<std::string> words) {
  std::vector<std::string> known = {"quick", "all", "none"};
  for (const MetricSection& section : metricSections()) known.push_back(section.id);
  for (const std::string& section : words)
    if (std::find(known.begin(), known.end(), section) == known.end())
      return Error{Stage::job, fmt::format("there is no section '{}'", section),
                   didYouMean(section, known).empty()
                       ? "see warpbench list sections"
                       : didYouMean(section, known) + "; see warpbench list sections"};
  if (words == std::vector<std::string>{"none"}) words.clear();
  if (std::find(words.begin(), words.end(), "none") != words.end())
    return Error{Stage::job, "none stands alone", "leave it out, or the other sections"};
  return words;
}

}  // namespace wb
