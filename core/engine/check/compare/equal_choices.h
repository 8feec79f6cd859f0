// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include "core/engine/call.h"

namespace wb {

/// The reference's results for an operator that says where its values come from, with the candidate's places
/// in them where these are as good: torch does not promise which of equal values topk, sort, kthvalue, median
/// or mode choose. They are as good where the very values lie there, and no place is named twice in a row
/// that is sorted. `pristine`: the arguments as both sides got them. Else the reference's results as they
/// are.
[[nodiscard]] Stack withEqualChoices(const c10::OperatorHandle& op, const Stack& pristine,
                                     const Stack& actual, const Stack& expected);

}  // namespace wb
