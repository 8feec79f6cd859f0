// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// What a case came to (decisions, "Verdicts"). Passing means `pass`; `invalid` (void) and `notRun` do not
/// count.
enum class Verdict {
  notRun,
  pass,
  mismatch,
  wrongShape,
  wrongDtype,
  wrongCount,
  wrongDevice,
  threw,
  crashed,
  hung,
  changedInput,
  refused,      ///< too large, unsupported
  invalid,      ///< "void": the reference failed, or the case cannot fail
  quarantined,  ///< not run because the kernel kept killing its worker
  missing,      ///< the run finished and nobody said what the case came to
  tampered,     ///< the kernel spoke in Warpbench's name, so that no verdict on it can be believed
};
[[nodiscard]] std::string_view name(Verdict verdict);  ///< "pass", "wrong-shape", "void", …

enum class Tally { pass, fail, neutral };
/// How a verdict counts: pass; fail; or neutral for void and not-run.
[[nodiscard]] Tally tally(Verdict verdict);

/// A worker was lost to the case, or the case was left out because others had cost theirs.
[[nodiscard]] bool endedItsWorker(Verdict verdict);

/// What a comparison of times came to: faster when low > 1.01, slower when high < 0.99, same when the
/// interval lies within [0.99, 1.01], else undecided.
enum class Pace { undecided, faster, slower, same };
[[nodiscard]] std::string_view name(Pace pace);

}  // namespace wb
