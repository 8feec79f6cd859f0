// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/figures/case_key.h"
#include "core/model/report.h"

namespace wb {

/// A stretch of the timeline of one side of a profiled case, in seconds from the call's beginning.
struct CallPart {
  Side side = Side::candidate;
  double from = 0, to = 0;
  bool operator==(const CallPart&) const = default;
};

/// The report as if nothing else had been profiled of this case than what that side did in that stretch: its
/// launches and activity, and the samples of the functions that ran. Samples have no time, so they are of all
/// launches of these functions. Every figure of a profile can be made of it. Without such a case the report
/// is what it was.
[[nodiscard]] Report partOfCall(const Report& report, CaseKey key, const CallPart& part);

/// "2 of 3 launches of the candidate, from 12.0 µs to 40.0 µs"
[[nodiscard]] std::string callPartText(const Report& report, CaseKey key, const CallPart& part);

}  // namespace wb
