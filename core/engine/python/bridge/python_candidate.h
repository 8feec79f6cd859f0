// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/python/bridge/object.h"
#include "core/engine/python/bridge/values.h"

namespace wb::python {

/// A Python function as a candidate for an operator of this schema. Called as the case spells it: what it
/// gives by position goes by position, what by name by name, what it leaves out is left out.
/// `notComparable`: why its time says nothing, "" when it does.
[[nodiscard]] std::unique_ptr<Candidate> pythonCandidate(Object function, c10::FunctionSchema schema,
                                                         std::string device, std::string notComparable);

/// Ends this process at once if it is not the one that loaded the library: a kernel forked, and its child
/// came back from it.
void endInForkedChild();

}  // namespace wb::python
