// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/python/bridge/object.h"
#include "core/engine/python/bridge/values.h"

namespace wb::python {

/// A Python function as a candidate for an operator, called in the way that `how` says. `notComparable` says
/// why its time says nothing, "" when it does.
[[nodiscard]] std::unique_ptr<Candidate> pythonCandidate(Object function, CallingWay how,
                                                         std::string notComparable);

/// Ends this process at once if it is not the one that loaded the library: then a kernel forked, and its
/// child returned from the kernel.
void endInForkedChild();

}  // namespace wb::python
