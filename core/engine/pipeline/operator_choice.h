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

/// The operator that a kernel implements. The user names it, else its header, else its folder in
/// BackendBench's form ("sum__dim_IntList"), else its functions' names. Where a function's name alone would
/// mean several operators, or one outside the suite, it means the suite's only operator of that name. Errors:
/// nothing names one; it is unknown (nearest names); it is ambiguous (overloads listed).
Result<OperatorEntry> chooseOperator(const KernelSource& source, const Claim& claim,
                                     std::span<const Case> suite,
                                     const std::vector<OperatorEntry>& operators);

/// The suite's cases of one operator. Error: there are none; it says which operators the suite has.
Result<std::vector<Case>> casesOf(const OperatorEntry& op, const std::string& suiteName,
                                  std::span<const Case> suite);

}  // namespace wb
