// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/call.h"
#include "core/model/measurement.h"

namespace wb {

/// Compares as BackendBench does: torch.testing.assert_close with 1e-2 for both tolerances, the reference in
/// the place of the actual value, so that rtol is relative to the candidate's. Shape, dtype, device and
/// layout must match, strides need not. Lists and tuples are compared element by element, either for the
/// other, and a list also with the slices of a tensor; everything else by Python's ==. Fills verdict, message
/// and errors. What torch cannot compare is a mismatch.
[[nodiscard]] CaseCheck compareAsPeer(const Stack& candidate, const Stack& expected);

/// BackendBench's compute_errors: the largest |e − c| and |e − c| / (|e| + 1e-10), in float32, NaN if any is;
/// of several outputs the largest that is not NaN; absent where BackendBench has None. Throws what torch
/// throws, as for outputs on two devices, which BackendBench reports as an exception.
[[nodiscard]] PeerErrors peerErrors(const Stack& candidate, const Stack& expected);

}  // namespace wb
