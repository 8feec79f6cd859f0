// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/compare/check.h"

namespace wb {

/// The reference's outputs (and changed arguments, after them) with every floating input, and every floating
/// dtype that is asked for, widened to float64. Empty when the operator does not take float64 or is float64
/// already. Throws only for lack of memory and the like.
[[nodiscard]] Stack oracleOutputs(const KernelContext& kernel, const Stack& arguments);

/// The same with inputs and outputs rounded to so many bits of mantissa, in their own types: no worse than
/// what a kernel gives that computes in a type of so many bits. Empty where the reference fails. Throws as
/// above.
[[nodiscard]] Stack roundedOutputs(const KernelContext& kernel, const Stack& arguments, int mantissaBits);

/// What an honest kernel may be off at each element, because it adds in another order than the reference,
/// one number after the other even: 4·u·√n·(|o| + s), where u is half a unit in the last place of the type
/// that sums are kept in (float32; for float64 itself), n how many numbers an element comes from, o its
/// value in float64, and s how far o moves when every input changes by a part of itself, at random and
/// independently, divided by that part: for a sum, the root of the sum of squares. So room grows with the
/// length of a reduction and with cancellation, and an element-wise operator has but a few units. √n is what
/// n roundings at random make (Higham and Mary, SIAM J. Sci. Comput. 41, 2019: a constant times √n instead
/// of n); 4·√n counts as 1024 at most.
///
/// n and s are found by trying: some calls of the reference in float64 with inputs moved a little. Where it
/// does not take float64, in float32, and twice the room. `oracle` are oracleOutputs, `expected` the
/// reference's own. Empty where it cannot be said. Throws as above.
[[nodiscard]] RoundingRoom roundingRoom(const KernelContext& kernel, const Stack& arguments,
                                        const Stack& oracle, const Stack& expected);

}  // namespace wb
