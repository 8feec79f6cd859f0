// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/job_options.h"
#include "core/base/result.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// The files that a command writes. A file that fails does not keep the others from being written. What is to
/// be said of the files comes after the result, so that it is the last thing on a terminal.
class ReportFiles {
 public:
  /// Takes the result of writing a file; `good` is said if it was written and `good` is not empty.
  void take(const Result<void>& written, std::string good = {});
  /// Writes a run's JSON and its reports.
  void write(const ReportTargets& targets, const Report& report);
  /// Writes JSON to the file that was named, unless that is standard output.
  void writeJson(const std::string& target, std::string_view json);
  /// Says what there is to say. Gives the exit status: `status`, or 2 instead of 0 when a file could not be
  /// written.
  [[nodiscard]] int finish(int status) const;
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::vector<std::string> lines_;
  bool failed_ = false;
};

/// Puts into the place of what an earlier run has left in those files the report of a run that has not ended,
/// so that it cannot pass for this run's where a kernel ends this program. Called when nothing can refuse the
/// run any more. A file that is not there, or is none, stays as it is, and so does one that cannot be
/// written: that is said at the end, when the report cannot be written either.
void replaceEarlier(const ReportTargets& targets, const Job& job);

}  // namespace wb
