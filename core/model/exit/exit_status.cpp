// SPDX-License-Identifier: Apache-2.0
#include "core/model/exit/exit_status.h"

#include <algorithm>

#include "core/model/report.h"

namespace wb {
namespace {

/// The exit status for a failed stage.
int statusOf(const Error& error) {
  switch (error.stage) {
    case Stage::setup:
      return ExitStatus::noWorker;
    case Stage::job:
    case Stage::compile:
      return ExitStatus::usage;
    default:
      return ExitStatus::failed;
  }
}

/// Whether a kernel was compiled and not run, since it is for another device than this one.
bool deviceMissing(const Report& report) {
  return std::any_of(report.kernels.begin(), report.kernels.end(),
                     [](const auto& kernel) { return kernel->compiled && !kernel->compiled->runs; });
}

/// Right answers by wrong accesses are no success, and neither are accesses of which nothing was heard.
bool sanitizerObjects(const Report& report) {
  return report.stages.has(Stage::sanitize) &&
         std::any_of(report.kernels.begin(), report.kernels.end(), [](const auto& kernel) {
           const bool ran = kernel->compiled && kernel->compiled->runs;
           return kernel->sanitized ? kernel->sanitized->errors > 0 : ran;
         });
}

}  // namespace

int exitStatus(const Report& report) {
  if (report.outcome == Outcome::cancelled) return ExitStatus::cancelled;
  if (report.failure) return statusOf(*report.failure);
  if (report.outcome != Outcome::finished) return ExitStatus::noWorker;
  const bool noWorker = std::any_of(report.kernels.begin(), report.kernels.end(), [](const auto& kernel) {
    return kernel->failure && statusOf(*kernel->failure) == ExitStatus::noWorker;
  });
  if (lostByUs(report)) return noWorker ? ExitStatus::noWorker : ExitStatus::lostByUs;
  bool failed = false;
  for (const auto& kernel : report.kernels) {
    if (!kernel->failure) continue;
    if (const int status = statusOf(*kernel->failure); status != ExitStatus::failed) return status;
    failed = true;
  }
  const Counts sum = counts(report);
  if (failed || sum.failed > 0 || sanitizerObjects(report)) return ExitStatus::failed;
  if (!report.stages.has(Stage::check) && !report.stages.has(Stage::time))
    return ExitStatus::good;  // the job was only to compile, and every kernel compiled
  if (sum.passed > 0 || (!report.stages.has(Stage::check) && sum.timed > 0)) return ExitStatus::good;
  if (deviceMissing(report)) return ExitStatus::noWorker;
  // Nothing to run: a filter that matches nothing.
  return sum.total == 0 ? ExitStatus::usage : ExitStatus::failed;
}

}  // namespace wb
