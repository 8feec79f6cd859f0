// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// The results for one length.
struct KnownRow {
  /// The seconds that the reference waits.
  double seconds = 0;
  /// The reference's median time.
  double said = 0;
  /// How many ratios of 0.25 to 4 there are.
  int count = 0;
  /// The largest |measured / true − 1| of them.
  double worst = 0;
  /// How many of their intervals hold the true ratio.
  int covered = 0;
  /// How many tries there are for each of the small differences.
  int tries = 0;
  /// For 1.01, 1.02 and 1.05, how many intervals lie above 1.
  std::vector<int> right;
  /// Which of the three times it was.
  std::string time;
};

struct KnownRatios {
  /// The seconds of a kernel that does not wait.
  double empty = 0;
  /// The frequency of the device's clock.
  double hertz = 0;
  std::vector<KnownRow> rows;
};

/// The results of a report. The true time of a kernel is its cycles divided by the device's clock, plus the
/// time of an empty kernel; this holds for both sides. Error: no case of length 0 was timed.
Result<KnownRatios> knownRatios(const Report& report);
[[nodiscard]] Table knownRatioTable(const KnownRatios& known);

}  // namespace wb
