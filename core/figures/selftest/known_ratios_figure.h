// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// What was said of one length.
struct KnownRow {
  double seconds = 0;      ///< that the reference waits
  double said = 0;         ///< the reference's time, median
  int count = 0;           ///< ratios of 0.25 to 4 …
  double worst = 0;        ///< … the largest |said / true − 1| of them
  int covered = 0;         ///< … and how many intervals hold the true one
  int tries = 0;           ///< of each of the small differences
  std::vector<int> right;  ///< of 1.01, 1.02, 1.05: how many intervals lie above 1
  std::string time;        ///< which time it was
};

struct KnownRatios {
  double empty = 0;  ///< seconds of a kernel that does not wait
  double hertz = 0;  ///< of the device's clock
  std::vector<KnownRow> rows;
};

/// A kernel takes what it waits, by clock or timer (CeilingKernels::spin), and what an empty one takes: so
/// much is true of both sides. Errors: no case of length 0 was timed.
Result<KnownRatios> knownRatios(const Report& report);
[[nodiscard]] Table knownRatioTable(const KnownRatios& known);

}  // namespace wb
