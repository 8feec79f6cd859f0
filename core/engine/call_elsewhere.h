// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/call.h"
#include "core/model/ran.h"

namespace wb {

/// What can be asked of a call that is made in another process.
class CallElsewhere {
 public:
  virtual ~CallElsewhere() = default;
  /// The next run() is watched where it happens; in this process an OperatorWatch sees what runs.
  virtual void watchNext() = 0;
  /// What the other process says of the watched run; nothing where it does not say. It is the word of whoever
  /// runs there.
  [[nodiscard]] virtual std::vector<RanPart> ranThere() = 0;
  /// Whether the results of the last run lie in the memory of another call's, which are still held there.
  [[nodiscard]] virtual bool sharesResults(const PreparedCall& other) const = 0;
};

/// A call that does something beside what the call inside it does.
class WrappedCall {
 public:
  virtual ~WrappedCall() = default;
  [[nodiscard]] virtual PreparedCall& inner() = 0;
};

/// The call as one that is made elsewhere; null where it is made here.
[[nodiscard]] inline CallElsewhere* elsewhere(PreparedCall& call) {
  if (auto* const wrapped = dynamic_cast<WrappedCall*>(&call)) return elsewhere(wrapped->inner());
  return dynamic_cast<CallElsewhere*>(&call);
}

}  // namespace wb
