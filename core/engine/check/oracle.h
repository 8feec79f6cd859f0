// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/compare/check.h"

namespace wb {

/// The reference's outputs (followed by changed arguments) with every floating input, and every floating
/// dtype that is asked for, widened to float64. Where the operator does not take float64, as a problem with
/// weights of float32, a GPU's outputs without TF32, if it uses that. Else empty, as when it is float64
/// already. Throws only when memory is short and the like.
[[nodiscard]] Stack oracleOutputs(const KernelContext& kernel, const Stack& arguments);

/// The same with inputs and outputs rounded to so many bits of mantissa, in their own types. This is no worse
/// than the result of a kernel that computes in a type of so many bits. Empty where the reference fails.
/// Throws as above.
[[nodiscard]] Stack roundedOutputs(const KernelContext& kernel, const Stack& arguments, int mantissaBits);

/// How far an honest kernel may be off at each element because it adds in another order than the reference,
/// even one number after the other: 4·u·√n·(|o| + s). u is half a unit in the last place of the type that
/// sums are kept in (float32; for float64 itself); n is how many numbers an element comes from; o is its
/// value in float64. s is how far o moves when every input changes at random by a part of itself,
/// independently, divided by that part: for a sum, the root of the sum of squares. So room grows with the
/// length of a reduction and with cancellation, and an element-wise operator has a few units only. √n is what
/// n random roundings make (Higham and Mary, SIAM J. Sci. Comput. 41, 2019: a constant times √n instead of
/// n); 4·√n counts as 1024 at most.
///
/// n and s are found by trying: by some twenty calls of the reference in float64 with inputs changed a
/// little. Of an operator whose elements come from more or fewer numbers, such as a cumulative sum, n is
/// about their mean. Where it does not take float64, they are made in float32, with twice the room. Where the
/// reference uses TF32, the room is 1.5 · 2^-10 · (|o| + s) at least, and twice that where it may and does
/// not, as a GPU's convolutions at shapes of the library's choice. `oracle` are oracleOutputs, `expected` the
/// reference's own outputs. Empty where the room cannot be found. Throws as above.
///
/// A few elements of float16 or bfloat16 may be off by more, 8·u·(|o| + s) with that type's own u, since both
/// sides round to it at places of their own; but by no more than twice what the reference is off anywhere.
[[nodiscard]] RoundingRoom roundingRoom(const KernelContext& kernel, const Stack& arguments,
                                        const Stack& oracle, const Stack& expected);

}  // namespace wb
