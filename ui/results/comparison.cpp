// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/figures/cells.h"
#include "core/figures/compare_figure.h"
#include "core/model/json/json_codec.h"

namespace wb {

Result<Baseline> readBaseline(const std::filesystem::path& file) {
  Result<std::string> text = readFile(file);
  if (!text) return std::move(text).error();
  const auto refuse = [&](Error error) {
    return Error{Stage::report, fmt::format("{} is no saved report: {}", file.string(), error.text),
                 "choose a file that Report… wrote as JSON, or warpbench run --json", error.place};
  };
  const Result<nlohmann::json> json = parseJson(*text);
  if (!json) return refuse(json.error());
  Result<Report> report = reportFromJson(*json);
  if (!report) return refuse(report.error());
  if (report->kernels.empty())
    return Error{
        Stage::report, fmt::format("{} holds no kernel", file.string()), "choose the report of a run", {}};
  return Baseline{file.filename().string(), std::make_shared<Report>(std::move(*report))};
}

ComparisonFigures makeComparison(const Baseline& a, const Baseline& b) {
  return {a.name, b.name, compareHeadline(*a.report, *b.report),
          std::make_shared<Table>(compareTable(*a.report, *b.report))};
}

std::string runName(const Report& report) {
  if (report.kernels.size() == 1) return kernelLabel(report, 0);
  return fmt::format("{} kernels", report.kernels.size());
}

}  // namespace wb
