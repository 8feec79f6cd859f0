// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/model/ran.h"

namespace wb {

/// Whether this thread is in an operator of torch's that a watch has seen.
[[nodiscard]] bool isInOperator();

/// From now on `tell` is called with true before a watch begins, and with false when it has ended.
void tellOfWatches(std::function<void(bool)> tell);

/// Whether any thread is in one. May be asked in a signal's handler.
[[nodiscard]] bool isAnyInOperator();

/// Sees, while it lives, which operators of torch's this process calls, in all threads, and how long each of
/// them takes. This tells a kernel that hands its work to ATen from one that does it. What a kernel calls
/// past torch's dispatcher is not seen. There may be one at a time; it must begin and end with the
/// candidate's state in force (process_state.h), since it is an observer of torch's itself.
class OperatorWatch {
 public:
  /// `reference` is the operator that the kernel stands against; it may be one of a problem's own.
  explicit OperatorWatch(std::string reference);
  ~OperatorWatch();
  OperatorWatch(const OperatorWatch&) = delete;
  OperatorWatch& operator=(const OperatorWatch&) = delete;
  /// What was seen so far in a call that took `seconds`, of which the kernel's own code took the rest.
  [[nodiscard]] std::vector<RanPart> ran(double seconds) const;

  struct Tally;

 private:
  std::shared_ptr<Tally> tally_;
  unsigned long handle_ = 0;
};

}  // namespace wb
