// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/compiler.h"
#include "core/model/case.h"
#include "core/model/job.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The operator that a kernel implements: as the user gave it, else as its header says, else its folder in
/// BackendBench's form ("sum__dim_IntList"), else its functions' names. A function's name that alone would
/// mean an operator outside the suite, or several, means the suite's only operator of that name.
/// Errors: nothing names one, unknown (nearest names), ambiguous (overloads listed).
Result<OperatorEntry> chooseOperator(const KernelSource& source, const Claim& claim,
                                     std::span<const Case> suite,
                                     const std::vector<OperatorEntry>& operators);

/// The suite's cases of one operator. Error: none, saying which operators the suite has.
Result<std::vector<Case>> casesOf(const OperatorEntry& op, const std::string& suiteName,
                                  std::span<const Case> suite);

}  // namespace wb
