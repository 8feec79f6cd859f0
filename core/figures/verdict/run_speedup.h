// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/report.h"

namespace wb {

/// The speedup on one of the devices of a run.
struct DeviceSpeedup {
  /// The device's name.
  std::string device;
  SpeedupSummary summary;
};
/// For each device on which cases were timed, the report's first; empty where it is one. Of the kernels whose
/// times count.
[[nodiscard]] std::vector<DeviceSpeedup> speedupsByDevice(const Report& report);
/// "1.20× on NVIDIA H200, 1.31× on NVIDIA H100"; "" where cases were timed on one device.
[[nodiscard]] std::string devicesText(const Report& report);

/// The speedup that stands for a whole run: over all cases, or of the fastest kernel where several compete
/// for one operator.
struct RunSpeedup {
  SpeedupSummary summary;
  Pace pace = Pace::undecided;
  /// Kernels compete for one operator, so it is of the fastest one.
  bool isOfTheBest = false;
  /// The kernel that it is of; "" where it is of all.
  std::string whose;
  /// How many kernels have times that do not count, because they crashed or hung.
  int unscored = 0;
  /// How many cases that passed were to be timed beside these, and have no time that counts.
  int leftOut = 0;
  /// Why there is no summary although cases were timed: half or more were left out, and it would be of the
  /// cases that chance, or the kernel, has chosen. "12 of 13 cases have no time that counts"
  std::string whyNone;
};
[[nodiscard]] RunSpeedup runSpeedup(const Report& report);
/// What is said beside a speedup: "1 case left out"; "" for none.
[[nodiscard]] std::string leftOutText(const RunSpeedup& speedup);

/// The times of one kernel's cases.
struct TimedCases {
  std::vector<Speedup> speedups;
  /// How many cases that passed have no time that counts, be it too noisy. A kernel could see to it that
  /// those are left out where it is slow.
  int leftOut = 0;
  void take(const CaseRow& row);
  [[nodiscard]] bool areTooFew() const { return leftOut > 0 && leftOut >= static_cast<int>(speedups.size()); }
  /// Of the timed ones; nothing where there are none, or too few.
  [[nodiscard]] std::optional<SpeedupSummary> summary() const;
  /// "12 of 13 cases have no time that counts"
  [[nodiscard]] std::string tooFewText() const;
};
[[nodiscard]] TimedCases timedCases(const KernelReport& kernel);

}  // namespace wb
