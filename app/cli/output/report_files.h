// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/job_options.h"
#include "core/base/result.h"
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

}  // namespace wb
