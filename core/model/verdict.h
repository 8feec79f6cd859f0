// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum.h"

#include <string_view>

namespace wb {

/// The verdict on a case. `pass` means that it passed; `invalid` (void) and `notRun` do not count.
WB_ENUM(Verdict, notRun, pass, mismatch, wrongShape, wrongDtype, wrongCount, wrongDevice, threw, crashed,
        hung, changedInput,
        // It was too large, or asked for what is not supported.
        refused,
        // The reference failed, or the case cannot fail.
        invalid WB_WORD("void"),
        // It was not run because the kernel kept killing its worker.
        quarantined,
        // The run finished and nobody said what the case came to.
        missing WB_WORD("no-verdict"),
        // The kernel spoke in Warpbench's name, so that no verdict on it can be believed.
        tampered);

enum class Tally { pass, fail, neutral };
/// How a verdict counts: pass; fail; or neutral for void and not-run.
[[nodiscard]] Tally tally(Verdict verdict);

/// Whether a worker was lost to the case, or the case was left out because others had lost theirs.
[[nodiscard]] bool endedItsWorker(Verdict verdict);

/// What a comparison of times came to: faster when low > 1.01, slower when high < 0.99, same when the
/// interval lies within [0.99, 1.01], else undecided.
WB_ENUM(Pace, undecided, faster, slower, same);

}  // namespace wb
