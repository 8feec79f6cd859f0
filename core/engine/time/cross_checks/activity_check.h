// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/cupti/activity.h"
#include "core/model/measurement.h"

namespace wb {

/// What CUPTI saw of one call of each side.
struct SeenActivity {
  /// The seconds of the device for kernels, copies and fills together.
  BothSides seconds;
  /// What the candidate launched.
  std::vector<RanPart> launched;
  /// Why the candidate's time, which was taken between two marks on the current stream, is not the time of
  /// its work; "" when it is.
  std::string escaped;
};

/// Runs each side once between two marks on the device's current stream, after work that keeps that stream
/// busy: what does not wait for the stream begins before the first mark, and what the stream does not wait
/// for ends after the second. `hostSeconds` is what the host needs for a call. Errors: those of the calls; no
/// CUPTI.
Result<SeenActivity> watchActivity(PreparedCall& reference, PreparedCall& candidate, int device,
                                   double hostSeconds);

/// The same from records; the marks are fills of these many bytes.
inline constexpr std::int64_t startMarkBytes = 13, endMarkBytes = 11, busyBytes = std::int64_t{1} << 26;
[[nodiscard]] SeenActivity judgeActivity(const std::vector<ActivityRecord>& candidate,
                                         const std::vector<ActivityRecord>& reference);

}  // namespace wb
