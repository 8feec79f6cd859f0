// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// How much longer events may say that a call takes than the device's records do, before one of the two does
/// not tell what it takes: events hold a few microseconds beside a launch. Both in seconds.
[[nodiscard]] constexpr double slackOfEvents(double byRecords) {
  return 5e-6 + 0.25 * byRecords;
}

}  // namespace wb
