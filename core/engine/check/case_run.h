// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/engine/cases/kernel_context.h"
#include "core/model/measurement.h"

namespace wb {

/// Runs a call once and waits for its device. Errors of the call, of the launch and of the wait.
Result<Stack> runAndWait(const KernelContext& kernel, PreparedCall& call);

/// A check that came to its end before anything was compared.
[[nodiscard]] CaseCheck verdictOf(Verdict verdict, std::string message);

/// "text (hint)".
[[nodiscard]] std::string withHint(const Error& error);

}  // namespace wb
