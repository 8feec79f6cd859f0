// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/call_elsewhere.h"
#include "core/engine/cases/kernel_context.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/model/measurement.h"

namespace wb {

/// Waits for all work of the kernel's device.
Result<void> waitFor(const KernelContext& kernel);

/// Runs a call once and waits for its device. Errors are those of the call, of the launch and of the wait.
Result<Stack> runAndWait(const KernelContext& kernel, PreparedCall& call);

/// A call of the candidate with what it ran.
struct WatchedRun {
  Stack results;
  std::vector<RanPart> ran;
  /// How long it took.
  double seconds = 0;
  /// What it wrote beyond tensors that were made in another process, where it runs in one.
  std::optional<WrittenThere> beyond;
};
/// The same with the candidate's state in force, while torch's operators are watched. Memory that it takes
/// lies between `bands`, where there are any.
Result<WatchedRun> runWatched(const KernelContext& kernel, PreparedCall& call, GuardBands* bands = nullptr);

/// A check that ended before anything was compared.
[[nodiscard]] CaseCheck verdictOf(Verdict verdict, std::string message);

/// The error as "text (hint)".
[[nodiscard]] std::string withHint(const Error& error);

}  // namespace wb
