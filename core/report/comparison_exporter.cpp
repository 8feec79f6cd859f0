// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison_exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/files/file.h"
#include "core/figures/compare/compare_figure.h"
#include "core/model/json/json_codec.h"
#include "core/report/formats.h"

namespace wb {
namespace {

nlohmann::json verdicts(const ComparedSide& side) {
  auto counts = nlohmann::json::object();
  for (const auto& [verdict, count] : side.verdicts) counts[std::string(name(verdict))] = count;
  return counts;
}

nlohmann::json jsonOf(const ComparedOperator& op) {
  nlohmann::json out{
      {"op", op.op},         {"winner", op.winner == Winner::a ? "A" : op.winner == Winner::b ? "B" : ""},
      {"why", op.why},       {"a", verdicts(op.a)},
      {"b", verdicts(op.b)}, {"cases", op.ratios.size()}};
  if (op.ratios.empty()) return out;
  const SpeedupSummary summary = summarize(op.ratios);
  out["ratio"] = summary.geomean;
  out["low"] = summary.low;
  out["high"] = summary.high;
  out["minimum"] = summary.minimum;
  out["maximum"] = summary.maximum;
  return out;
}

struct Format {
  std::string_view extension;
  std::string (*write)(const Comparison&);
};
constexpr std::array formats = {Format{".md", comparisonMarkdown}, Format{".json", comparisonJson}};

const Format* formatOf(const std::filesystem::path& file) {
  const auto fits = [&](const Format& one) { return file.extension() == one.extension; };
  const auto* const found = std::find_if(formats.begin(), formats.end(), fits);
  return found == formats.end() ? nullptr : found;
}

}  // namespace

std::string comparisonJson(const Comparison& comparison) {
  auto operators = nlohmann::json::array();
  for (const ComparedOperator& op : compareOperators(comparison.a, comparison.b))
    operators.push_back(jsonOf(op));
  return dump({{"nameA", comparison.nameA},
               {"nameB", comparison.nameB},
               {"operators", std::move(operators)},
               {"a", toJson(comparison.a)},
               {"b", toJson(comparison.b)}},
              2) +
         "\n";
}

std::string comparisonMarkdown(const Comparison& comparison) {
  return fmt::format("# B against A\n\n- A: `{}`\n- B: `{}`\n\n{}\n{}", comparison.nameA, comparison.nameB,
                     markdownFigure(compareHeadline(comparison.a, comparison.b)),
                     markdownFigure(compareTable(comparison.a, comparison.b)));
}

bool canExportComparison(const std::filesystem::path& file) {
  return formatOf(file) != nullptr;
}

std::string comparisonExtensions() {
  std::string known;
  for (const Format& one : formats) known.append(known.empty() ? "" : " or ").append(one.extension);
  return known;
}

Result<void> exportComparison(const Comparison& comparison, const std::filesystem::path& file) {
  const Format* format = formatOf(file);
  if (format == nullptr)
    return Error{Stage::report,
                 fmt::format("a comparison cannot be written as {}", file.string()),
                 "use " + comparisonExtensions(),
                 {file.string(), 0, 0}};
  return writeFileAtomically(file, format->write(comparison));
}

}  // namespace wb
