// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/call.h"
#include "core/model/measurement.h"

namespace wb {

/// Compares as BackendBench does (contract §4.2): torch.testing.assert_close with 1e-2 both, the reference in
/// the place of the actual value, so that rtol is relative to the candidate's; shape, dtype, device and
/// layout must match, strides need not; lists and tuples element by element, either for the other, also a
/// list against the slices of a tensor; everything else by Python's ==. Fills verdict, message and
/// errors. What torch cannot compare is a mismatch.
[[nodiscard]] CaseCheck compareAsPeer(const Stack& candidate, const Stack& expected);

/// BackendBench's compute_errors (contract §4.4): |e − c| and |e − c| / (|e| + 1e-10) at their largest, in
/// float32, NaN if any is; of several outputs the largest that is no NaN; absent where it has None. Throws
/// what torch throws, as for outputs on two devices, which BackendBench reports as an exception.
[[nodiscard]] PeerErrors peerErrors(const Stack& candidate, const Stack& expected);

}  // namespace wb
