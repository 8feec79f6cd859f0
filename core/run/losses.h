// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/run/at_work.h"

namespace wb {

/// Why a worker was lost.
struct Loss {
  /// The verdict: crashed, hung or tampered.
  Verdict verdict = Verdict::crashed;
  /// The reason: "segmentation fault (SIGSEGV)", "did not finish within 30.0 s".
  std::string reason{};
  /// The end of what it printed; may be empty.
  std::string lastWords{};
  /// The worker said so itself and ended in an orderly way.
  bool deviceBroken = false;
};

/// Whose code ran when the worker was lost. `isApart`: no code of the kernel's or of the reference's runs in
/// the worker, which judges strictly, so that whatever ended it is not theirs.
[[nodiscard]] Blame blameFor(const AtWork& at, const Loss& loss, bool isApart = false);

/// The events that follow from a loss: what was lost, the verdict of the case under way or the failure of the
/// compilation under way, and the quarantine of a kernel that has cost that many workers. After `tampered` no
/// verdict on the kernel remains.
[[nodiscard]] std::vector<Event> afterLoss(const Job& job, const Report& report, const AtWork& at,
                                           const Loss& loss, int lossesToQuarantine);

}  // namespace wb
