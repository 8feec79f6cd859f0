// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/saved_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

/// In bytes.
constexpr std::size_t largestReport = std::size_t{1} << 30;

}  // namespace

Result<std::shared_ptr<const Report>> readSavedReport(const std::filesystem::path& file) {
  WB_TRY(const auto text, readFile(file, largestReport));
  const auto refused = [&](const Error& error) {
    return Error{Stage::report, fmt::format("{} is not a Warpbench report: {}", file.string(), error.text),
                 "choose a file that Export report wrote as JSON", error.place};
  };
  const auto json = parseJson(text);
  if (!json) return refused(json.error());
  auto report = reportFromJson(*json);
  if (!report) return refused(report.error());
  if (report->kernels.empty())
    return Error{Stage::report, fmt::format("{} holds no kernel", file.string()),
                 "choose the report of a run"};
  return std::make_shared<const Report>(*std::move(report));
}

}  // namespace wb
