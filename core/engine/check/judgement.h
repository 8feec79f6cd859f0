// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/compare/check.h"

namespace wb {

/// A comparison under preset torch on its way to a verdict.
struct Judgement {
  const KernelContext& kernel;
  const Stack& pristine;  ///< the arguments as both sides got them
  const Stack& actual;
  const Stack& expected;
  Stack oracle;  ///< oracleOutputs, or nothing
  RoundingRoom room;
  CaseCheck check;
};

/// After a mismatch: is it right within its room for rounding? Then it passes, and says how much it took.
/// Throws what torch throws.
void giveRoom(Judgement& judgement);

/// After a pass: would what a lower type gives (float32 for float64, TF32 or float16 for float32) pass as
/// well? Where the tolerance takes that, a float64 result must be 64 times, a float32 result 8 times nearer
/// than it, or it is a mismatch; of narrower types, and where only room for rounding made it pass, it is
/// noted in `lower`. The reference is called once more only where a look at the outputs leaves a doubt.
/// Throws what torch throws.
void tellFromLowerType(Judgement& judgement);

}  // namespace wb
