// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/cases/kernel_context.h"
#include "core/engine/time/measured_device.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// The result of timing one case.
struct TimeOutcome {
  std::optional<CaseTiming> timing;
  /// Why there is no timing.
  std::string reason;
  /// A new verdict, where the case turned out to be wrong after all.
  std::optional<CaseCheck> recheck;
  /// The reason is what the reference does in a process in which no kernel has ever been.
  bool isReferenceSlowed = false;
  /// What the candidate did in calls like those that were timed.
  SeenInCalls seen{};
};

/// The part of a case's timing in which nobody else may use the device. Both may be empty.
struct TimedAlone {
  /// Called when all is ready and nothing of it is at work. An error is why nothing is timed.
  std::function<Result<void>()> begin{};
  /// All is timed: from here on others may use the device.
  std::function<void()> end{};
};

/// Times candidate against reference over several input sets that only this process knows, each side on its
/// own copies: makes them ready, times them `alone`, checks by CUPTI whether what ran is what was timed, and
/// checks every set's answer once. `known`: what was found out when the same kernel was timed on this case
/// before, which is not looked for again. Never throws.
[[nodiscard]] TimeOutcome timeOneCase(const KernelContext& kernel, const Case& definition,
                                      MeasuredDevice& measuredDevice, const KnownOfCase& known = {},
                                      const TimedAlone& alone = {});

}  // namespace wb
