// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// Runs that are kept on disk: each as a report in JSON, which holds the sources too, and beside it a small
// file with what a list shows of it. Several processes may use one folder at the same time.

/// What a list shows of a run.
struct KeptRun {
  /// The name of its file without ending; ids sort by time.
  std::string id;
  /// When it ended, in milliseconds since 1970.
  std::int64_t when = 0;
  /// "relu.cpp · relu"
  std::string title;
  std::string suite;
  /// The id of the device.
  std::string device;
  Outcome outcome = Outcome::finished;
  int passed = 0, total = 0;
  /// The geometric means of the speedups and of the ends of their intervals; 0 without times.
  double speedup = 0, low = 0, high = 0;
  /// The size of the report's file.
  std::int64_t bytes = 0;
  /// It stays, however many runs follow.
  bool pinned = false;
  bool operator==(const KeptRun&) const = default;
};

/// How much is kept; the oldest runs go first. Pinned runs and the newest one always stay.
struct HistoryLimits {
  int runs = 200;
  std::int64_t bytes = std::int64_t{512} << 20;
};

/// The file of a run's report.
[[nodiscard]] std::filesystem::path runFile(const std::filesystem::path& folder, const std::string& id);

/// Keeps a run, and removes the oldest ones over the limits. `now` is in milliseconds since 1970. Errors: the
/// folder cannot be written, the disk is full.
Result<KeptRun> keepRun(const std::filesystem::path& folder, const Report& report, std::int64_t now,
                        const HistoryLimits& limits = {});
/// All kept runs, the newest first. Files that are none are passed over.
[[nodiscard]] std::vector<KeptRun> keptRuns(const std::filesystem::path& folder);
/// Pins a run or gives it free. Errors: there is no such run, the folder cannot be written.
Result<void> pinRun(const std::filesystem::path& folder, const std::string& id, bool pinned);
/// Removes a run; does nothing where there is none.
void forgetRun(const std::filesystem::path& folder, const std::string& id);

/// One row per run, whose id is the run's. Times are local; `now` is in milliseconds since 1970.
[[nodiscard]] Table historyTable(const std::vector<KeptRun>& runs, std::int64_t now);

}  // namespace wb
