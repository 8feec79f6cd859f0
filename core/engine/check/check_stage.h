// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Runs the candidate on a case's inputs, then the reference on its own copy of them, and compares. The
/// candidate runs first and its outputs are poisoned, so that no right answer lies anywhere in memory. Never
/// throws.
[[nodiscard]] CaseCheck checkCase(const KernelContext& kernel, const Case& definition);

/// The same on other inputs, those of `seed`.
[[nodiscard]] CaseCheck checkCase(const KernelContext& kernel, const Case& definition, std::uint64_t seed);

/// For a case in which the reference was lost after the candidate had run: runs the reference without the
/// candidate, on the same inputs. Where the reference survives, this returns, with the verdict that the
/// candidate gets then. Never throws.
[[nodiscard]] CaseCheck checkReferenceAlone(const KernelContext& kernel, const Case& definition);

/// When a judgement uses the float64 oracle: never, as for random values; where the rule needs it; or always,
/// for the figures.
enum class OracleUse { never, whereNeeded, always };

/// Compares outputs by the job's rule. `pristine` are the arguments as both sides got them, for the oracle.
/// Throws what torch throws.
[[nodiscard]] CaseCheck judge(const KernelContext& kernel, const Stack& pristine, const Stack& actual,
                              const Stack& expected, OracleUse oracle = OracleUse::whereNeeded);

/// The message "argument 'self' was changed" for arguments that the operator may not change; "" when there
/// are none. Throws what torch throws.
[[nodiscard]] std::string changedInputs(const KernelContext& kernel, const Stack& before, const Stack& after);

/// The verdict on a candidate that returned an error: `crashed` when the device has become unusable, else
/// `threw`.
[[nodiscard]] CaseCheck failedRun(const KernelContext& kernel, const Error& error);

}  // namespace wb
