// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/report_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "app/cli/output/output.h"
#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/report/exporters.h"
#include "core/report/formats.h"

namespace wb {

void ReportFiles::take(const Result<void>& written, std::string good) {
  if (!written)
    lines_.push_back("warpbench: " + describe(written.error()));
  else if (!good.empty())
    lines_.push_back(std::move(good));
  failed_ = failed_ || !written;
}

void ReportFiles::writeJson(const std::string& target, std::string_view json) {
  if (!target.empty() && target != "-") take(writeFileAtomically(target, json));
}

void ReportFiles::write(const ReportTargets& targets, const Report& report) {
  for (const std::string& file : targets.reports)
    take(exportReport(report, file), fmt::format("report: {}", file));
  if (targets.json.empty() || targets.json == "-") return;
  const auto json = jsonReport(report);
  json ? writeJson(targets.json, *json) : take(json.error());
}

int ReportFiles::finish(int status) const {
  flushShown();
  for (const std::string& line : lines_) say(line);
  return status == ExitStatus::good && failed_ ? ExitStatus::usage : status;
}

void replaceEarlier(const ReportTargets& targets, const Job& job) {
  Report report = startReport(job);
  // Whoever looks at the verdicts alone finds none, and so no case that has failed.
  report.failure =
      Error{Stage::setup,
            "The run has not ended: it goes on, or its program was ended before it could say what "
            "the run came to",
            "run it again",
            {}};
  ReportTargets earlier;
  std::error_code failed;
  const auto isThere = [&](const std::string& file) {
    return std::filesystem::is_regular_file(file, failed);
  };
  std::ranges::copy_if(targets.reports, std::back_inserter(earlier.reports), isThere);
  if (targets.json != "-" && isThere(targets.json)) earlier.json = targets.json;
  ReportFiles().write(earlier, report);
}

}  // namespace wb
