// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/compare/check.h"

namespace wb {

/// A comparison by the preset "torch" on its way to a verdict.
struct Judgement {
  const KernelContext& kernel;
  /// The arguments as both sides got them.
  const Stack& pristine;
  const Stack& actual;
  const Stack& expected;
  /// The result of oracleOutputs(), or nothing.
  Stack oracle;
  RoundingRoom room;
  CaseCheck check;
};

/// After a mismatch: whether so many elements of a large output are so far off that no rounding explains it.
/// To find out how far that goes takes seconds there, in which a wrong answer would keep who waits.
[[nodiscard]] bool isGrosslyOff(const CaseCheck& check, const Stack& expected);

/// After a mismatch: a result that is right within its room for rounding passes, and says how much room it
/// took. Throws what torch throws.
void giveRoom(Judgement& judgement);

/// After a pass: an operator that copies a view's elements into memory of their own, such as transpose_copy,
/// has to lay them out as the reference does, since that is all of its work: a mismatch if it does not.
void tellFromLayout(Judgement& judgement);
/// Whether an operator is one of those.
[[nodiscard]] bool laysOutView(const c10::OperatorHandle& op);

/// After a pass: finds out whether the result of a lower type (float32 for float64, TF32 or float16 for
/// float32) would pass as well. Where the tolerance accepts that one, a float64 result must be 64 times
/// nearer, and a float32 result 8 times, or it is a mismatch. For narrower types, and where a result passed
/// by room for rounding only, this is noted in `lower`. The reference is called once more only where a look
/// at the outputs leaves a doubt. Throws what torch throws.
void tellFromLowerType(Judgement& judgement);

}  // namespace wb
