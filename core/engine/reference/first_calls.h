// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Calls once each library on the processor that torch computes with. MKL and oneDNN read the environment in
/// their first call and keep to it (MKL_CBWR, ONEDNN_MAX_CPU_ISA, ONEDNN_PRIMITIVE_CACHE_CAPACITY), so that a
/// kernel that comes before could slow the reference, and the kernels after it, without a trace. Takes some
/// ten milliseconds; what fails is left out.
void makeFirstCalls();

}  // namespace wb
